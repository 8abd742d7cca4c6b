import { calmAnswer } from "../answers.ts";
import { idlePlaybook } from "../idle-playbook.ts";
import type { Policy } from "../policy.ts";

/** Changes nothing, for what it repairs was never broken; asked, it says that nothing is wrong. */
export const noop: Policy = {
  repair: () => ({ playbook: idlePlaybook("this policy repairs nothing") }),
  answer: ({ answer }) => ({ answer: calmAnswer(answer) }),
};
