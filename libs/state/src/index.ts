export type { ArenaStatus, Arenas, Lease } from "./arenas.ts";
export type { ClaimKey, Claims, Taking } from "./claims.ts";
export { connectState, type State, type StateOptions } from "./connect-state.ts";
export type { ConversationKey, Conversations } from "./conversations.ts";
export type { ArenaEffect, Episodes, Transition } from "./episodes.ts";
export type { ExperimentProgress, Experiments } from "./experiments.ts";
export type { ClaimedMessage, Outbox, OutboxMessage } from "./outbox.ts";
export { type Results, type StageKey, stageKeyText } from "./results.ts";
export { retention } from "./retention.ts";
