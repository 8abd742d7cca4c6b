import {
  actsOn,
  type CauseLabels,
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
/** Share of its limit from which on a container has hardly any memory left. */
const nearlyFull = 0.6;

/** A workload's memory has grown by far, or fills its container. */
export const grownMemory = (labels: CauseLabels): Evidence =>
  evidenceBy([usageCall, memoryOverTime], ([usage = "", over = ""]) => {
    const uses = sharesOfLimits(usage);
    const grown = new Set(metricRows(over).flatMap(({ name, values }) => (hasGrown(values) ? [name] : [])));
    return uses
      .filter(({ workload, memory = 0 }) => memory >= nearlyFull || grown.has(workload.name))
      .map(({ workload }) => actsOn(workload, labels));
  });

function hasGrown(values: readonly (number | null)[]): boolean {
  const measured = values.filter((value) => value !== null);
  return (measured.at(-1) ?? 0) - Math.min(...measured) >= muchMi;
}
