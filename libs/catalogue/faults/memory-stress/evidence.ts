import {
  actsOn,
  type CauseLabels,
  type ContainerUse,
  type Evidence,
  type EvidenceCall,
  evidenceBy,
  metricRows,
  sharesOfLimits,
  usageCall,
} from "@microremed/catalogue";

/** As long as an agent may see; the means of half a minute, so that the rows of a large system fit in an answer. */
const memoryOverTime: EvidenceCall = {
  tool: "query_metrics",
  arguments: { metric: "memory", since: "10m", step: "30s", top: 60 },
};
/** Growth within minutes that no load explains, MiB. */
const muchMi = 512;
/** Share of its limit from which on a container has hardly any memory left, if it uses much: small ones come near under load. */
const nearlyFull = 0.6;

const isFull = ({ memory = 0, memoryMi }: ContainerUse): boolean =>
  memory >= nearlyFull && memoryMi >= muchMi;

/** A container's memory has grown by far, or fills it. */
export const grownMemory = (labels: CauseLabels): Evidence =>
  evidenceBy([usageCall, memoryOverTime], ([usage = "", over = ""]) => {
    const uses = sharesOfLimits(usage);
    const least = new Map(metricRows(over).map(({ name, values }) => [name, leastOf(values)]));
    // While an update replaces pods, a workload has more of them, and uses more in all.
    const hasGrown = ({ workload: { name }, memoryMi }: ContainerUse): boolean => {
      const containers = uses.filter(({ workload }) => workload.name === name).length;
      return memoryMi - (least.get(name) ?? Number.POSITIVE_INFINITY) / containers >= muchMi;
    };
    return uses.filter((use) => isFull(use) || hasGrown(use)).map(({ workload }) => actsOn(workload, labels));
  });

const leastOf = (values: readonly (number | null)[]): number =>
  Math.min(...values.filter((value) => value !== null));
