export { advance, leaseMs } from "./advance.ts";
export { type Blame, blameLimit, blameOf } from "./cluster-blame.ts";
export { maxTrials } from "./conclude.ts";
export type { EpisodeEvent } from "./episode-event.ts";
export { episodeSpan, stageSpan } from "./episode-trace.ts";
export { commandMessage, messagesOf } from "./messages-of.ts";
export { type EpisodePlan, type TaskRules, wantsOf } from "./plan.ts";
export { checksAfter, deadlineOf, nextCheck } from "./stage-deadline.ts";
export type { Transition } from "./transitions.ts";
