import { parseQuantity } from "@microremed/catalogue";
import type { Place } from "./answers.ts";
import type { Library } from "./policy.ts";

/** One observation of the whole system, and the rule by which it shows that something is wrong. */
interface HealthCheck {
  readonly command: string;
  /** The first object that is wrong; undefined: none is. */
  readonly findsIn: (output: string) => Place | undefined;
}

/** Share of its limit at which a container counts as starved. */
const starvedAt = 0.9;

/** What an expert checks who knows nothing but the namespace, the cheapest first. */
export function checksOf(namespace: string, library: Library): HealthCheck[] {
  const kubectl = `kubectl -n ${namespace}`;
  const kinds = new Map(
    library.flatMap(({ cause }) => (cause ? [[cause.kind.toLowerCase(), cause.kind]] : [])),
  );
  const causes = [...kinds.keys()];
  const findCauses: HealthCheck = {
    command: `${kubectl} get ${causes.sort().join(",")} -o name`,
    findsIn: (output) => {
      const { kind = "", name } =
        /^(?<kind>[a-z-]+)[a-z.-]*\/(?<name>[a-z0-9.-]+)$/m.exec(output)?.groups ?? {};
      return name === undefined ? undefined : { kind: kinds.get(kind), name };
    },
  };
  return [
    ...(causes.length > 0 ? [findCauses] : []),
    {
      command: `${kubectl} get deployment,statefulset -o jsonpath='{range .items[*]}{.kind}/{.metadata.name} {.status.readyReplicas}/{.status.replicas}/{.spec.replicas}{"\\n"}{end}'`,
      findsIn: unreadyIn,
    },
    {
      command: `${kubectl} get pods -o jsonpath='{range .items[*]}{range .spec.containers[*]}{.name}={.resources.limits.cpu},{.resources.limits.memory} {end}{.metadata.name}{"\\n"}{end}'; ${kubectl} top pods --containers --no-headers`,
      findsIn: starvedIn,
    },
  ];
}

/** A workload without a ready pod, be it missing or one of a rollout that does not end: ready, there and wanted of each. */
function unreadyIn(output: string): Place | undefined {
  const lines = [...output.matchAll(/^(?:(\w+)\/)?(\S+) (\d*)\/(\d*)\/(\d+)$/gm)];
  const found = lines.find(
    ([, , , ready, there, wanted]) => Number(ready) < Math.max(Number(there), Number(wanted)),
  );
  return found?.[2] === undefined ? undefined : { kind: found[1], name: found[2] };
}

/**
 * A pod with a container that uses what its limit allows. A line of limits for each pod, `<container>=<cpu>,<memory>` and the
 * pod's name last; then a line of usage for each container: pod, container, CPU, memory.
 */
function starvedIn(output: string): Place | undefined {
  const lines = output.split("\n").map((line) => line.trim().split(/\s+/));
  const limits = new Map(
    lines.flatMap((words) =>
      words.slice(0, -1).map((word) => [`${words.at(-1)}/${word.split("=")[0]}`, word]),
    ),
  );
  const found = lines.find(([pod, container, cpu = "", memory = ""]) => {
    const [cpuLimit, memoryLimit] = limits.get(`${pod}/${container}`)?.split("=")[1]?.split(",") ?? [];
    return reaches(cpu, cpuLimit) || reaches(memory, memoryLimit);
  });
  return found?.[0] === undefined ? undefined : { kind: "Pod", name: found[0] };
}

function reaches(used: string, limit: string | undefined): boolean {
  const [amount, most] = [parseQuantity(used), parseQuantity(limit)];
  return amount !== undefined && most !== undefined && amount >= starvedAt * most;
}
