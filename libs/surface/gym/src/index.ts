export { createGym, type Gym, type GymOptions } from "./create-gym.ts";
export { Action } from "./episode/action.ts";
export { CaseRequest } from "./episode/case-request.ts";
export { openPlaybookSandbox, startRealPlaybooks } from "./episode/real-playbooks.ts";
export type { Observation, PrivateState, PublicState, Result } from "./gym.types.ts";
export { shaping } from "./reward/potential.ts";
export {
  type Reward,
  type RewardParts,
  type RewardWeights,
  rewardOf,
  usualWeights,
} from "./reward/rubric.ts";
