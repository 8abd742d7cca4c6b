import { bytes, cores } from "@microremed/catalogue";
import type { Library } from "./policy.ts";

/** One look at the system as a whole, and the rule by which it shows that something is wrong. */
interface HealthCheck {
  readonly command: string;
  readonly findsIn: (output: string) => boolean;
}

/** Share of its limit at which a container counts as starved. */
const starvedAt = 0.9;

/** What an expert checks who knows nothing but the namespace, the cheapest first. */
export function checksOf(namespace: string, library: Library): HealthCheck[] {
  const kubectl = `kubectl -n ${namespace}`;
  const causes = [...new Set(library.flatMap(({ cause }) => (cause ? [cause.kind.toLowerCase()] : [])))];
  const findCauses: HealthCheck = {
    command: `${kubectl} get ${causes.sort().join(",")} -o name`,
    findsIn: (output) => /^[a-z.-]+\/[a-z0-9.-]+$/m.test(output),
  };
  return [
    ...(causes.length > 0 ? [findCauses] : []),
    {
      command: `${kubectl} get deployment,statefulset -o jsonpath='{range .items[*]}{.metadata.name} {.status.readyReplicas}/{.spec.replicas}{"\\n"}{end}'`,
      findsIn: (output) =>
        [...output.matchAll(/ (\d*)\/(\d+)$/gm)].some(([, up, all]) => Number(up) < Number(all)),
    },
    {
      command: `${kubectl} get pods -o jsonpath='{range .items[*]}{range .spec.containers[*]}{.resources.limits.cpu},{.resources.limits.memory} {end}{.metadata.name}{"\\n"}{end}'; ${kubectl} top pods --containers --no-headers`,
      findsIn: isStarved,
    },
  ];
}

/** Whether a container uses what its limit allows: a line of limits for each pod, then a line of usage for each container. */
function isStarved(output: string): boolean {
  const lines = output.split("\n").map((line) => line.trim().split(/\s+/));
  const limits = new Map(lines.flatMap((words) => (words[0]?.includes(",") ? [[words.at(-1), words]] : [])));
  return lines.some(([pod, , cpu, memory]) => {
    if (cpu === undefined || memory === undefined) return false;
    const own = (limits.get(pod) ?? []).filter((word) => word.includes(",")).map((word) => word.split(","));
    // Limits of pods with several containers are not told apart: the least of them would be guesswork.
    const [limit] = own.length === 1 ? own : [];
    return reaches(cores, cpu, limit?.[0]) || reaches(bytes, memory, limit?.[1]);
  });
}

const reaches = (size: (quantity: string) => number, used: string, limit: string | undefined): boolean =>
  limit !== undefined && limit !== "" && size(used) >= starvedAt * size(limit);
