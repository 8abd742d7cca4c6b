export { unknownChaosFields } from "./admission/admission.ts";
export { chaosDefinition, chaosSchema } from "./admission/definitions.ts";
export { type ChaosMesh, createChaosMesh } from "./chaos-mesh.ts";
export { chaosRef } from "./model/refs.ts";
