// The shelf: sentences and conversations to try, each for the home it is about.

const SAMPLE = ["小牛，关所有房间的灯", "把空调打开", "除了厨房，灯全关掉", "十分钟后关油烟机", "现在有啥是开着的？", "别开灯，把油烟机关了"];
const FLAT = ["小牛，好热", "床头灯打开，亮度30%", "如果卧室温度高于28度就打开卧室空调", "大白关掉", "窗帘拉开一半", "卧室空调设的多少度？"];
const VILLA = ["打开老伙计", "二楼的灯统统关掉", "除了花园，灯都关掉", "把主卧的窗帘拉开一半", "观影模式", "一楼客厅多少度？"];
const ANY = ["我要睡觉了", "太暗了", "把灯都打开", "小爱，开灯", "今天收益不错，我很开心", "我想听星星点灯"];

/** Sentences to begin with in a home. @param {string} home */
export const ideasFor = (home) => ({ sample8: SAMPLE, flat25: FLAT, villa120: VILLA })[home] || ANY;

/** Sentences of the shelf in a home. @param {string} home */
export const sentencesFor = (home) => [...new Set([...ideasFor(home), ...ANY])];

export const DIALOGUES = [
  { home: "sample8", local: "厨房", turns: ["小牛，厨房灯是开的吗？", "关了", "再打开"] },
  { home: "sample8", local: "卫生间", turns: ["把空调打开", "客厅", "调到24度", "卧室的也打开"] },
  { home: "flat25", local: "客厅", turns: ["小牛，好热", "还是好热", "关了吧"] },
  { home: "flat25", local: "卧室", turns: ["床头灯打开，亮度30%", "再亮一点", "不对，是顶灯", "都关了"] },
  { home: "villa120", local: "二楼主卧", turns: ["二楼的灯统统关掉", "老伙计打开", "观影模式"] },
];

export const HOSPITAL = [
  ["我头痛想挂号，顺便问停车怎么收费，还有李四医生明天出诊吗？", "我想挂李四医生的号。", "明天下午的。", "医保报销怎么走？"],
  ["报告显示白细胞高，挂哪科"],
  ["我要缴费，另外前面还有几个人", "办完了"],
  ["突然胸口压着疼，出冷汗，喘不上气"],
];
