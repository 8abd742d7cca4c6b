import type { Cluster, Container, Pod } from "@microremed/cluster";
import { isSilent } from "../is-silent.ts";
import { type Programs, parseCommands } from "./foreign-programs.ts";
import { leftProcesses, parseProcesses, parseVariables, stoppedProcesses } from "./processes.ts";
import { commandsScript, processesScript } from "./programs-script.ts";

/** Ms of cluster time; a container with hardly any CPU needs seconds to start a shell. */
const timeoutMs = 30_000;
/** Execs at once: each is a connection to a kubelet. */
const atOnce = 8;
/** Of the programs that were left in one container; each further one says nothing more. */
const mostLeft = 50;

/** What runs in the containers: `<pod>/<container>` -> its programs. Null: it could not be asked. */
export type ProgramsByContainer = ReadonlyMap<string, Programs | null>;

type Ask = (script: string) => Promise<string>;

/** Which programs from outside count: those that were left, or all, also what has only just started. */
export type ProgramAges = "left" | "all";

/** Asks every running container of the pods, in its own shell; of an image without one the answer is null. */
export async function readPrograms(
  cluster: Cluster,
  pods: readonly Pod[],
  ages: ProgramAges = "left",
): Promise<ProgramsByContainer> {
  const places = pods.flatMap((pod) => runningContainers(pod).map((container) => ({ pod, container })));
  const found = new Map<string, Programs | null>();
  await using _hold = await cluster.clock.hold();
  const queue = places.values();
  const work = async (): Promise<void> => {
    for (const { pod, container } of queue) {
      const where = { namespace: pod.metadata.namespace ?? "", pod: pod.metadata.name, container };
      const ask: Ask = async (script) => {
        const { stdout } = await cluster.exec({ ...where, command: ["sh", "-c", script], timeoutMs });
        return stdout;
      };
      found.set(
        `${where.pod}/${container}`,
        await askPrograms(ask, ages === "all" ? "any" : checkSecondsOf(pod, container)),
      );
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, places.length) }, work));
  return found;
}

/** Containers that a program can run in now. */
const runningContainers = ({ metadata, status }: Pod): readonly string[] =>
  metadata.deletionTimestamp !== undefined || status?.phase !== "Running"
    ? []
    : (status.containerStatuses ?? [])
        .filter(({ state }) => state?.running !== undefined)
        .map(({ name }) => name);

const probes = ["readinessProbe", "livenessProbe", "startupProbe"] as const;

/** The longest time limit of a container's health checks, s. */
function checkSecondsOf({ spec }: Pod, name: string): number {
  const container: Container | undefined = spec?.containers.find((one) => one.name === name);
  return Math.max(0, ...probes.map((probe) => container?.[probe]?.timeoutSeconds ?? 0));
}

async function askPrograms(ask: Ask, checkSeconds: number | "any"): Promise<Programs | null> {
  try {
    const output = await ask(processesScript);
    const others = parseProcesses(output);
    if (!others) return null;
    const left = leftProcesses(others, checkSeconds).slice(0, mostLeft);
    const stopped = stoppedProcesses(output).slice(0, mostLeft);
    const variables = parseVariables(output);
    const nothing = { executable: "", command: "" };
    // Nearly always nothing is left, and one question is enough.
    if (left.length + stopped.length === 0) return { first: nothing, left: [], stopped: [], variables };
    const [first = nothing, ...running] = parseCommands(
      await ask(commandsScript([1, ...left.map(({ pid }) => pid), ...stopped])),
    );
    return {
      first,
      left: left.map((process, at) => ({ ...process, ...(running[at] ?? nothing) })),
      stopped: stopped.map((_, at) => running[left.length + at] ?? nothing),
      variables,
    };
  } catch (error) {
    if (!isSilent(error)) throw error;
    return null;
  }
}
