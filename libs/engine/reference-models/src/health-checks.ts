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
      command: `${kubectl} get deployment,statefulset -o jsonpath='{range .items[*]}{.metadata.name} {.status.readyReplicas}/{.status.replicas}/{.spec.replicas}{"\\n"}{end}'`,
      findsIn: isUnready,
    },
    {
      command: `${kubectl} get pods -o jsonpath='{range .items[*]}{range .spec.containers[*]}{.name}={.resources.limits.cpu},{.resources.limits.memory} {end}{.metadata.name}{"\\n"}{end}'; ${kubectl} top pods --containers --no-headers`,
      findsIn: isStarved,
    },
  ];
}

/** Whether a pod is not ready, be it missing or one of a rollout that does not end: ready, there and wanted of each. */
function isUnready(output: string): boolean {
  const counts = [...output.matchAll(/ (\d*)\/(\d*)\/(\d+)$/gm)];
  return counts.some(([, ready, there, wanted]) => Number(ready) < Math.max(Number(there), Number(wanted)));
}

/**
 * Whether a container uses what its limit allows. A line of limits for each pod, `<container>=<cpu>,<memory>` and the
 * pod's name last; then a line of usage for each container: pod, container, CPU, memory.
 */
function isStarved(output: string): boolean {
  const lines = output.split("\n").map((line) => line.trim().split(/\s+/));
  const limits = new Map(
    lines.flatMap((words) =>
      words.slice(0, -1).map((word) => [`${words.at(-1)}/${word.split("=")[0]}`, word]),
    ),
  );
  return lines.some(([pod, container, cpu = "", memory = ""]) => {
    const [cpuLimit, memoryLimit] = limits.get(`${pod}/${container}`)?.split("=")[1]?.split(",") ?? [];
    return reaches(cores, cpu, cpuLimit) || reaches(bytes, memory, memoryLimit);
  });
}

const reaches = (size: (quantity: string) => number, used: string, limit: string | undefined): boolean =>
  limit !== undefined && limit !== "" && size(used) >= starvedAt * size(limit);
