// The page's own words in Chinese and English. What the service says stays as it says it.

const WORDS = {
  "app.title": ["听懂", "TingDong"],
  "app.tagline": ["一句话，听懂，做对。", "One sentence, understood, done right."],
  "tab.home": ["家", "Home"],
  "tab.hospital": ["医院", "Hospital"],
  "nav.plan": ["户型", "Rooms"],
  "nav.talk": ["对话", "Talk"],
  "nav.why": ["为什么", "Why"],
  "status.open": ["已连接", "Connected"],
  "status.connecting": ["连接中…", "Connecting…"],
  "status.closed": ["已断开，正在重连", "Disconnected, reconnecting"],
  "theme": ["切换深浅色", "Switch light and dark"],
  "language": ["English", "中文"],
  "home.choose": ["选择家庭", "Choose a home"],
  "home.sample": ["示例家庭（8 台设备）", "Sample home (8 devices)"],
  "home.flat": ["公寓（25 台设备）", "Flat (25 devices)"],
  "home.villa": ["别墅（120 台设备）", "Villa (120 devices)"],
  "home.custom": ["自己的家庭…", "Your own…"],
  "home.edit": ["编辑 JSON", "Edit JSON"],
  "home.here": ["我在这里", "I am here"],
  "home.standing": ["您在这里", "You are here"],
  "home.nowhere": ["不说在哪", "Nowhere in particular"],
  "home.devices": ["台设备", "devices"],
  "home.timers": ["定时与条件", "Timers and conditions"],
  "home.fire": ["现在触发", "Fire now"],
  "device.on": ["开", "on"],
  "device.off": ["关", "off"],
  "device.offline": ["离线", "offline"],
  "device.toggle": ["切换开关", "toggle"],
  "talk.new": ["新对话", "New conversation"],
  "talk.page": ["对话", "Conversation"],
  "talk.close": ["关闭这个对话", "Close this conversation"],
  "talk.placeholder": ["说点什么，比如：小牛，关所有房间的灯", "Say something, for example: 小牛，关所有房间的灯"],
  "talk.send": ["发送", "Send"],
  "talk.dictate": ["听写", "Dictate"],
  "talk.listening": ["正在听…", "Listening…"],
  "talk.empty": ["还没有对话。试试下面的句子。", "Nothing said yet. Try one of these."],
  "talk.acted": ["设备有变化", "devices changed"],
  "talk.instruct": ["生成指令", "Make instructs"],
  "talk.failed": ["没有得到回答", "No answer"],
  "kind.instruct": ["控制", "instruct"],
  "kind.question": ["反问", "question"],
  "kind.answer": ["回答", "answer"],
  "kind.none": ["无关", "none"],
  "try.title": ["试试看", "Try it"],
  "try.sentences": ["句子", "Sentences"],
  "try.dialogues": ["对话", "Conversations"],
  "why.title": ["为什么这样做", "Why it did that"],
  "why.empty": ["说一句话，这里会显示它是怎样被听懂的。", "Say something, and this shows how it was understood."],
  "why.sentence": ["句子里听到的", "Heard in the sentence"],
  "why.commands": ["命令", "Commands"],
  "why.queries": ["QueryIR", "QueryIR"],
  "why.candidates": ["候选设备", "Candidates"],
  "why.none": ["没有候选", "No candidates"],
  "why.hint": ["提示", "Hint"],
  "why.yaml": ["注入的 YAML", "Injected YAML"],
  "why.tokens": ["词元", "tokens"],
  "why.of": ["整个家庭为", "the whole home takes"],
  "why.stages": ["用时（微秒）", "Time (microseconds)"],
  "why.tier": ["由谁读懂", "Read by"],
  "why.confidence": ["把握", "Confidence"],
  "why.reason": ["理由", "Reason"],
  "why.decision": ["决定", "Decision"],
  "why.frames": ["数据桢", "Frames"],
  "why.sent": ["发出", "sent"],
  "why.received": ["收到", "received"],
  "why.copy": ["复制 JSON", "Copy JSON"],
  "why.curl": ["复制 curl", "Copy curl"],
  "why.websocat": ["复制 websocat", "Copy websocat"],
  "why.copied": ["已复制", "Copied"],
  "why.report": ["报告这一轮", "Report this turn"],
  "editor.title": ["家庭 JSON（示例见 §4.4）", "Home as JSON"],
  "editor.use": ["使用", "Use it"],
  "editor.cancel": ["取消", "Cancel"],
  "editor.format": ["整理格式", "Format"],
  "editor.line": ["第 {0} 行", "line {0}"],
  "hospital.placeholder": ["比如：我头痛想挂号，顺便问停车怎么收费", "For example: 我头痛想挂号，顺便问停车怎么收费"],
  "hospital.medical": ["医疗", "Medical"],
  "hospital.admin": ["行政", "Administrative"],
  "hospital.focus": ["当前", "Focus"],
  "hospital.queued": ["排队", "Queued"],
  "hospital.done": ["已结束", "Ended"],
  "hospital.nothing": ["空", "Empty"],
  "hospital.segments": ["片段与关系", "Segments and relations"],
  "hospital.ops": ["操作", "Operations"],
  "hospital.missing": ["还缺", "missing"],
  "hospital.safety": ["安全", "Safety"],
  "hospital.absent": ["这个服务没有开通医院分诊。", "This service has no hospital desk."],
};

let language = 0;

/** Chooses the language: "zh" or "en". */
export function speak(code) {
  language = code === "en" ? 1 : 0;
  document.documentElement.lang = language ? "en" : "zh-CN";
}

/** The word of a key in the chosen language; `{0}` takes the argument. */
export function t(key, argument = "") {
  const words = WORDS[key];
  return words ? words[language].replace("{0}", String(argument)) : key;
}

/** Fills every element that names its word in `data-t` (text), `data-t-label` or `data-t-placeholder`. */
export function translate(root = document) {
  for (const element of root.querySelectorAll("[data-t]")) element.textContent = t(element.dataset.t);
  for (const element of root.querySelectorAll("[data-t-label]")) element.setAttribute("aria-label", t(element.dataset.tLabel));
  for (const element of root.querySelectorAll("[data-t-placeholder]"))
    element.setAttribute("placeholder", t(element.dataset.tPlaceholder));
}
