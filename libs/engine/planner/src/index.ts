export { parameterIssues } from "./parameter-issues.ts";
export { eligibleTargets, type Plan, type PlannedFrom, planCases, planEpisodes, planOf } from "./plan.ts";
export { planProblems, problemsOf } from "./plan-problems.ts";
export {
  type PlannedWith,
  planRequest,
  requestParameterIssues,
  tasksIn,
  unpublishedIn,
} from "./plan-request.ts";
export { type RemainingRequest, remainingRequests } from "./remaining-requests.ts";
export { isSequence, sequenceNamed, sequenceNames, unknownSequence } from "./sequences.ts";
export { leftOutOf, unfitMethods } from "./unfit-methods.ts";
export { withoutPublishedRule } from "./without-published-rule.ts";
