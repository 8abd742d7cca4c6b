export { type AgreementReport, agreementReport, type RaterAgreement } from "./agreement.ts";
export { automaticOrder, type Order } from "./automatic-order.ts";
export type { LeftOut } from "./candidate.ts";
export {
  type Decided,
  type Decider,
  decide,
  deciders,
  type PreferenceFormat,
  preferenceFormats,
} from "./export-preferences.ts";
export { makePairs, type Paired, type PairOptions } from "./make-pairs.ts";
export { type Choice, longestReason, Pair, Rating } from "./pair.ts";
export { pairsCard } from "./pairs-card.ts";
export { lastRatings, readPairs, readRatings } from "./ratings.ts";
export { showPair } from "./show-pair.ts";
