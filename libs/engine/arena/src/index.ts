export {
  describeDifference,
  differenceOf,
  readInventory,
  readRecord,
  systemObjects,
  withoutRewritten,
} from "@microremed/inventory";
export type { ArenaContext } from "./arena.ts";
export { type InjectBody, type InjectOptions, injectFailure } from "./inject-failure.ts";
export { setLoad } from "./load.ts";
export { measureDamage } from "./measure-damage.ts";
export { placeSetting } from "./place-setting.ts";
export { type PrepareOptions, prepareArena } from "./prepare-arena.ts";
export { type RestoreOptions, restoreArena } from "./restore-arena.ts";
export { startJanitor } from "./start-janitor.ts";
export { type WindowOptions, watchWindow } from "./watch-window.ts";
