export type { ArenaContext } from "./arena.ts";
export { describeDifference, differenceOf } from "./difference.ts";
export { type InjectBody, type InjectOptions, injectFailure } from "./inject-failure.ts";
export { readInventory } from "./inventory.ts";
export { type PrepareOptions, prepareArena } from "./prepare-arena.ts";
export { readRecord } from "./record.ts";
export { type RestoreOptions, restoreArena } from "./restore-arena.ts";
export { startJanitor } from "./start-janitor.ts";
