// Stand-ins for what is private in a home: names somebody gave, and ids. The words that carry meaning stay.

const ROOMS =
  "客厅 餐厅 厨房 玄关 卧室 主卧 次卧 客房 书房 卫生间 洗手间 厕所 浴室 主卫 次卫 客卫 阳台 露台 走廊 过道 儿童房 老人房 婴儿房 影音室 健身房 衣帽间 储物间 储藏室 车库 花园 院子 庭院 房间 大厅 办公室 会议室 门厅 门口 楼梯 一楼 二楼 三楼 四楼 楼上 楼下 地下 地下室";
const THINGS =
  "灯 顶灯 吸顶灯 吊灯 台灯 落地灯 床头灯 壁灯 筒灯 射灯 灯带 夜灯 小夜灯 镜前灯 照明灯 感应灯 串灯 草坪灯 庭院灯 浴缸灯 星空灯 橱柜灯 酒柜灯 鞋柜灯 主灯 空调 柜机 挂机 风扇 吊扇 电扇 排风扇 换气扇 新风 油烟机 窗帘 纱帘 遮光帘 百叶窗 百叶 卷帘 帘 电视 投影仪 投影 音箱 音响 回音壁 功放 插座 插排 开关 传感器 温度计 湿度计 温湿度计 温度 湿度 人体 烟雾 燃气 水浸 门磁 门锁 锁 摄像头 门铃 网关 路由器 冰箱 洗衣机 烘干机 洗碗机 电饭煲 饮水机 烤箱 微波炉 热水器 加湿器 除湿机 净化器 空气净化器 空气 取暖器 小太阳 暖气 扫地机器人 机器人 扫地机 充电桩 充电器 电脑 打印机 跑步机 水泵 喷泉 浇花器 门 窗 床头柜 书桌 书柜 电视柜 沙发 餐边柜 梳妆台 鱼缸 模式 观影 离家 回家 会客 晚安 起床 睡眠 全屋 氛围";
const GENERIC = new Set(`${ROOMS} ${THINGS} 智能 电动 可调光 调光 入户`.split(" "));
const LONGEST = Math.max(...[...GENERIC].map((word) => word.length));
const ORDINARY = /^[\s\d#·A-H左右大小前后上下内外中新旧东南西北号第一二三四五六七八九十的车-]*$/;
const EDGES = /^[\s\d#·的-]+|[\s\d#·的-]+$/g;
const STEMS = "甲乙丙丁戊己庚辛壬癸";

/** What no generic word covers: the fewest characters left over. @param {string} name @returns {string[]} */
function leftOver(name) {
  const best = [{ cost: 0, from: 0, known: true }];
  for (let end = 1; end <= name.length; end++) {
    best[end] = { cost: best[end - 1].cost + 1, from: end - 1, known: false };
    for (let start = Math.max(0, end - LONGEST); start < end; start++)
      if (GENERIC.has(name.slice(start, end)) && best[start].cost <= best[end].cost) best[end] = { cost: best[start].cost, from: start, known: true };
  }
  const parts = [""];
  for (let end = name.length; end > 0; end = best[end].from) {
    if (best[end].known) parts.unshift("");
    else parts[0] = name.slice(best[end].from, end) + parts[0];
  }
  return parts.filter(Boolean);
}

/** The parts of a name that tell whose it is: 小明的台灯 → ["小明"]; 左床头灯 → []. @param {string} name @returns {string[]} */
export function privateParts(name) {
  const parts = leftOver(name).filter((part) => !ORDINARY.test(part)).map((part) => part.replace(EDGES, ""));
  // One stray character is too short to be replaced wherever it was said.
  return parts.some((part) => part.length < 2) && name.length > 1 ? [name] : parts;
}

/** Stand-ins: `texts` are replaced within any text, `ids` only where they stand alone. @param {any} home */
export function standIns(home) {
  const texts = new Map();
  const entities = [...(home.devices || []), ...(home.groups || []), ...(home.scenes || [])];
  const rooms = [...(home.layout || []), ...entities.map((entity) => entity.local)];
  for (const name of [...entities.map((entity) => entity.name), ...rooms])
    for (const part of name ? privateParts(name) : []) if (!texts.has(part)) texts.set(part, `名字${ordinal(texts.size)}`);
  const ids = new Map(entities.map((entity, index) => [entity.id, `id-${index + 1}`]));
  return { texts, ids };
}

function ordinal(index) {
  return STEMS[index % STEMS.length] + (index < STEMS.length ? "" : Math.floor(index / STEMS.length));
}

/** `value` with every private name and id replaced, longest names first so that 大白二号 is not cut at 大白. */
export function hide(value, { texts, ids }) {
  const ordered = [...texts].sort(([a], [b]) => b.length - a.length);
  const pattern = ordered.length ? new RegExp(ordered.map(([name]) => name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|"), "g") : null;
  const text = (string) => ids.get(string) ?? (pattern ? string.replace(pattern, (name) => texts.get(name)) : string);
  const walk = (item) => {
    if (typeof item === "string") return text(item);
    if (Array.isArray(item)) return item.map(walk);
    if (item && typeof item === "object") return Object.fromEntries(Object.entries(item).map(([key, inner]) => [key, walk(inner)]));
    return item;
  };
  return walk(value);
}
