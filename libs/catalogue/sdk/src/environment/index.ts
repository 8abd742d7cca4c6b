export { defineEnvironment, type EnvironmentDefinition, isDefinedEnvironment } from "./define-environment.ts";
export { type DialledAddress, dialledAddress } from "./dialled-address.ts";
export * from "./environment.types.ts";
export * from "./format.ts";
export { imageTools, officialName } from "./image-tools.ts";
export { usualOf } from "./implied-behaviour.ts";
export { keepsData, mayKeepData } from "./keeps-data.ts";
export * from "./load-curve.ts";
export { type EnvironmentFiles, loadEnvironment } from "./load-environment.ts";
export { type Expected, LoadFormat, LoadSpec } from "./load-format.ts";
export { environmentOn, withLoadGenerator } from "./load-generator.ts";
export { type LoadPlan, loadJob, loadRates } from "./load-job.ts";
export {
  allLoads,
  barePath,
  callsPerRequest,
  isMadeFor,
  type LoadRequest,
  loadRequests,
  namedLoad,
  pathsOfCall,
} from "./load-requests.ts";
export { loadYaml, type TextFile } from "./load-yaml.ts";
export { customKinds, customResourcesIn, knownAmong, type Manifest, namespacedAmong } from "./manifest.ts";
export {
  type MongoRole,
  type MongoUserText,
  mongoMay,
  mongoRolesIn,
  mongoUserOf,
  mongoUsersIn,
} from "./mongo-users.ts";
export { ofManifest } from "./places.ts";
export { impliedBehaviourOf } from "./read-container.ts";
export { isJob, type JobPods, readJobPods } from "./read-job.ts";
export { inOrder, problemOf, tooMany } from "./read-manifests.ts";
export { dataOf, readService } from "./read-services.ts";
export { isWorkload, readWorkload } from "./read-workload.ts";
export { declaredObjects, renderManifests } from "./render-manifests.ts";
export { type ReplayRow, readReplay, replayedAt } from "./replay.ts";
export {
  mayLabelPods,
  selectorText,
  servicesOver,
  workloadAtEntry,
  workloadOfPod,
  workloadsBehind,
} from "./selectors.ts";
export { serviceOfHost } from "./service-of-host.ts";
export {
  firstVisit,
  nextVisit,
  pauseAfter,
  pausesPerSession,
  type Session,
  type SessionStep,
  sessionsOf,
  stepsPerSession,
  type Visit,
} from "./sessions.ts";
export { variablesFrom } from "./variables-from.ts";
