// The shelf: sentences and conversations to try, each with the home and the place it is about.

export const SENTENCES = [
  "小牛，关所有房间的灯",
  "打开客厅的灯调到50%",
  "除了厨房，灯全关掉",
  "把客厅和卧室的空调都开到26度",
  "十分钟后关油烟机",
  "如果卧室温度高于28度就打开卧室空调",
  "别开灯，把油烟机关了",
  "现在有啥是开着的？",
  "卧室空调设的多少度？",
  "太热了",
  "小爱，开灯",
  "今天收益不错，我很开心",
  "我想听星星点灯",
];

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
];
