// "Report this turn": a labelled-case template in the form of the service corpora, with private names replaced.

import { hide, standIns } from "./privacy.js";
import { homeOf } from "./conversation.js";

/** What stands for the home's own id. */
const NO_ID = "did-0";

/** `intent` and `instructs` are what came out; whoever reports corrects them by hand. @param {import("./conversation.js").Turn} turn */
export function reportOf(turn) {
  const home = homeOf(turn);
  const names = standIns(home);
  const { reading, rule } = turn.data?.explain || {};
  const { instructs: now = [], scheduled = [] } = turn.data?.active || {};
  const instructs = [...now, ...scheduled].map(({ summary: _summary, timer_id: _timer, ...rest }) => rest);
  return hide(
    {
      id: `report-${turn.rid.slice(0, 8)}`,
      home: { ...home, did: NO_ID },
      local: turn.local || null,
      instruct: true,
      before: turn.before,
      turns: [{ question: turn.question, intent: turn.intent?.type || null, instructs, result_must: [] }],
      said: turn.intent?.result || turn.error?.message || "",
      commands: reading?.commands || [],
      rule: rule || "",
      expected: "在这里写下应该怎样 / say here what should have happened",
      tags: ["report"],
    },
    names,
  );
}
