export { defineEnvironment } from "./define-environment.ts";
export * from "./format.ts";
export { keepsData, mayKeepData } from "./keeps-data.ts";
export * from "./load-curve.ts";
export { loadEnvironment } from "./load-environment.ts";
export { type Manifest, renderManifests } from "./render-manifests.ts";
export {
  podLabelsOf,
  selectorOf,
  selectorText,
  servicesOver,
  workloadOfPod,
  workloadsBehind,
} from "./selectors.ts";
