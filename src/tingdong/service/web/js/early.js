// Before the first paint: the theme and the language that were chosen last, so that nothing flashes or jumps.
(() => {
  try {
    const theme = localStorage.getItem("tingdong.theme");
    if (theme) document.documentElement.dataset.theme = theme;
    if (localStorage.getItem("tingdong.language") === "en") document.documentElement.lang = "en";
  } catch {
    // No storage: the page still works.
  }
})();
