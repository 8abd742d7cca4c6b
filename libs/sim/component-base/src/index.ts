export type { ControllerContext } from "./context.ts";
export { createDefaulted } from "./create-defaulted.ts";
export { createEventRecorder, type EventRecorder, type NewEvent } from "./event-recorder.ts";
export { createManagedStore } from "./managed-store.ts";
export { controllerOf, controllerReference, createOwnerIndex } from "./owner-index.ts";
export { createWorkQueue } from "./work-queue.ts";
