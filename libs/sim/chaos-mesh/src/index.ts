export { chaosResources } from "./admission/chaos-resources.ts";
export { type ChaosMesh, createChaosMesh } from "./chaos-mesh.ts";
export { chaosRef } from "./model/refs.ts";
