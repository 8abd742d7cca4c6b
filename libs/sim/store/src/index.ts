export { createStore } from "./create-store.ts";
export type { DeleteOptions, Store, UpdateOptions, WatchEvent } from "./store.types.ts";
export { weightOf } from "./weight.ts";
