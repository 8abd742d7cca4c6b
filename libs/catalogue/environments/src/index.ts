export * from "./format.ts";
export { loadEnvironment } from "./load-environment.ts";
export { bytes, cores } from "./quantities.ts";
export { createEnvironmentRegistry, type EnvironmentRegistry, environments } from "./registry.ts";
export { type Manifest, renderManifests } from "./render-manifests.ts";
