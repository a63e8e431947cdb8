// "Report this turn": a labelled-case template in which private names are replaced consistently.

const PLAIN = /^(智能|电动|可调光)?(灯|顶灯|床头灯|台灯|落地灯|吊灯|灯带|射灯|夜灯|照明灯|吸顶灯|壁灯|镜前灯|空调|风扇|吊扇|排风扇|换气扇|窗帘|纱帘|遮光帘|百叶窗|电视|投影仪|音箱|回音壁|插座|电源插座|油烟机|加湿器|除湿机|热水器|空气净化器|扫地机器人|温度计|湿度计|门锁|冰箱|洗衣机|充电桩)\d*$/;

/** Generic words stay (they carry the meaning); a name somebody gave becomes 名字甲, 名字乙 … everywhere alike. */
export function pseudonyms(home) {
  const names = new Map();
  const given = [...home.devices, ...(home.groups || []), ...(home.scenes || [])].map((entity) => entity.name);
  for (const name of given) if (name && !PLAIN.test(name) && !names.has(name)) names.set(name, `名字${ordinal(names.size)}`);
  return names;
}

function ordinal(index) {
  const stems = "甲乙丙丁戊己庚辛壬癸";
  return index < stems.length ? stems[index] : `${stems[index % stems.length]}${Math.floor(index / stems.length)}`;
}

/** A labelled case in the form of the project's service corpora; `intent` and `instructs` are to be corrected by hand. */
export function reportOf(turn) {
  const names = pseudonyms(turn.home);
  const replaced = hide({ home: turn.home, question: turn.question, result: turn.intent?.result || "" }, names);
  return {
    id: `report-${turn.rid.slice(0, 8)}`,
    home: replaced.home,
    local: turn.local || null,
    instruct: true,
    turns: [
      {
        question: replaced.question,
        intent: turn.intent?.type || null,
        instructs: hide((turn.data?.active?.instructs || []).map(({ summary, timer_id: timer, ...rest }) => rest), names),
        result_must: [],
      },
    ],
    said: replaced.result,
    commands: hide(turn.data?.explain?.reading?.commands || [], names),
    expected: "在这里写下应该怎样 / say here what should have happened",
    tags: ["report"],
  };
}

/** `value` with every private name replaced, longest names first so that 大白二号 is not cut at 大白. */
export function hide(value, names) {
  const ordered = [...names].sort(([a], [b]) => b.length - a.length);
  const text = (string) => ordered.reduce((result, [name, alias]) => result.replaceAll(name, alias), string);
  const walk = (item) => {
    if (typeof item === "string") return text(item);
    if (Array.isArray(item)) return item.map(walk);
    if (item && typeof item === "object") return Object.fromEntries(Object.entries(item).map(([key, inner]) => [key, walk(inner)]));
    return item;
  };
  return walk(value);
}
