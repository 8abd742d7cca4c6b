export { defineEnvironment, type EnvironmentDefinition, isDefinedEnvironment } from "./define-environment.ts";
export * from "./environment.types.ts";
export * from "./format.ts";
export { keepsData, mayKeepData } from "./keeps-data.ts";
export * from "./load-curve.ts";
export { type EnvironmentFiles, loadEnvironment } from "./load-environment.ts";
export type { TextFile } from "./load-yaml.ts";
export { customKinds, type Manifest, namespacedAmong } from "./manifest.ts";
export { renderManifests } from "./render-manifests.ts";
export {
  mayLabelPods,
  selectorText,
  servicesOver,
  workloadAtEntry,
  workloadOfPod,
  workloadsBehind,
} from "./selectors.ts";
export { serviceOfHost } from "./service-of-host.ts";
