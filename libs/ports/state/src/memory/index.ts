export { createMemoryState, type MemoryState, type MemoryStateOptions } from "./create-memory-state.ts";
