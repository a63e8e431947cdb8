// Before the first paint: what was chosen last and what this browser can do, so that nothing flashes or jumps.
(() => {
  const root = document.documentElement;
  if (!globalThis.SpeechRecognition && !globalThis.webkitSpeechRecognition) root.classList.add("deaf");
  try {
    const theme = localStorage.getItem("tingdong.theme");
    if (theme) root.dataset.theme = theme;
    if (localStorage.getItem("tingdong.language") === "en") {
      root.lang = "en";
      root.classList.add("untold"); // shown once the page's words are in English
    }
  } catch {
    // No storage: the page still works.
  }
})();
