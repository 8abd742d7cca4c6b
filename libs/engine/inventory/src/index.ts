export { readStrayAddresses } from "./address-findings.ts";
export { readChaosRules } from "./chaos-rules.ts";
export { compareArena } from "./compare-arena.ts";
export { knownVolumes } from "./comparison/data-changes.ts";
export { changesOutside } from "./departures.ts";
export { type Difference, describeDifference, differenceOf, isEmpty } from "./difference.ts";
export type { Expected } from "./expected.ts";
export { identityOf, isRootCertificates, readInventory } from "./inventory.ts";
export { isSilent } from "./is-silent.ts";
export { readChangedMade } from "./made-findings.ts";
export { type Mark, type MarkKey, readLastMark, readMark, type Term, writeMark } from "./mark.ts";
export { actingRearmed, type Injected, markOf } from "./mark-of.ts";
export { isVolatileAnnotation, normalise } from "./normalise.ts";
export { readOutside } from "./outside.ts";
export { podsWithForeignPrograms } from "./programs/pods-with-foreign-programs.ts";
export { type ArenaObjects, judgedKinds, readArena, withInsides } from "./read-arena.ts";
export {
  type ArenaRecord,
  dropRecord,
  manifestsDigest,
  readRecord,
  rewriteRecord,
  writeRecord,
} from "./record.ts";
export { withoutRewritten } from "./rewritten.ts";
export { readKnownStores } from "./stores/read-known-stores.ts";
export type { KnownStores } from "./stores/store-changes.ts";
export { isOfStore } from "./stores/store-findings.ts";
export type { MountedVolume } from "./volumes/read-volumes.ts";
export { isOfVolume } from "./volumes/volume-findings.ts";
export { objectsWithNoise, recordedFor, systemObjects } from "./with-noise.ts";
