export { eligibleTargets, type Plan, type PlannedFrom, planCases, planEpisodes, planOf } from "./plan.ts";
export { sequenceNamed, sequenceNames } from "./sequences.ts";
