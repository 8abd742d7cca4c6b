export { createCatalog } from "./catalog.ts";
export { type SchedulerOptions, startScheduler } from "./service.ts";
