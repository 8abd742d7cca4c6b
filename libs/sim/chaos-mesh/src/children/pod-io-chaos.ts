import { type ContainerRuntime, type IoFault, todaOwner, unmountToda } from "@microremed/sim-machine";
import type { ChaosDeps } from "../model/chaos-kind.types.ts";
import type { ChildSpecification } from "./child-controller.ts";

export interface IoAction {
  readonly type: "latency" | "fault" | "attrOverride" | "mistake";
  readonly path?: string;
  readonly methods?: readonly string[];
  readonly percent: number;
  /** Duration as toda reads it. */
  readonly latency?: string;
  readonly faults?: readonly { readonly errno: number; readonly weight: number }[];
  /** `namespace/name` of the IOChaos that wants it. */
  readonly source: string;
}

export interface PodIoSpec {
  readonly container?: string;
  readonly volumeMountPath?: string;
  readonly actions?: readonly IoAction[];
}

const todaUnits: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};

/** toda's durations: integers with units only; undefined when it cannot parse (`1.5s`), and then injects nothing. */
function todaDuration(text: string | undefined): number | undefined {
  if (!text || !/^(\d+(ns|us|ms|s|m|h) ?)+$/.test(text)) return undefined;
  return [...text.matchAll(/(\d+)(ns|us|ms|s|m|h)/g)].reduce(
    (sum, [, number = "0", unit = "ms"]) => sum + Number(number) * (todaUnits[unit] ?? 1),
    0,
  );
}

/** What one action does to calls; undefined when the whole rule set cannot be read by toda. */
function faultOf(action: IoAction, volumePath: string): IoFault | undefined {
  const common = {
    owner: todaOwner,
    volumePath,
    percent: action.percent,
    ...(action.path && { path: action.path }),
    ...(action.methods?.length && { methods: action.methods.map((method) => method.toLowerCase()) }),
  };
  if (action.type === "latency") {
    const delayMs = todaDuration(action.latency);
    return delayMs === undefined ? undefined : { ...common, delayMs };
  }
  const errno = action.faults?.[0]?.errno;
  // Altered attributes and corrupted bytes do not change how long a call takes or whether it succeeds.
  return { ...common, delayMs: 0, ...(action.type === "fault" && errno !== undefined && { errno }) };
}

/** The daemon's side of PodIOChaos: one toda per pod, for one container and mount. */
export function podIoChaos({ machine, loop }: ChaosDeps): ChildSpecification {
  return {
    kind: "PodIOChaos",
    plural: "podiochaos",
    callMs: [600, 2800],
    enforce(child) {
      const { namespace = "", name } = child.metadata;
      const spec: PodIoSpec = child.spec ?? {};
      const actions = spec.actions ?? [];
      const running = child.status?.pid !== undefined;
      const container = machine.byPod(namespace, name)?.containers.get(spec.container ?? "");
      if (actions.length === 0) {
        if (running && container) unmountToda(container);
        return { pid: undefined, startTime: undefined };
      }
      if (!container)
        throw new Error(
          `failed to apply for pod ${namespace}/${name}: container with id ${namespace}/${name}/${spec.container} not found: container not found`,
        );
      mount(container, spec.volumeMountPath ?? "", actions, `${namespace}/${name}`);
      const pid = Math.max(...container.processes.map((process) => process.pid)) + 1;
      const toda = { pid, command: `toda --path ${spec.volumeMountPath} --verbose info`, user: "root" };
      const idle = { kind: "io-injector", cpuDemand: 0, memoryBytes: 8 << 20, owner: todaOwner } as const;
      container.processes.push(loop.keep({ ...toda, ...idle, startedAt: loop.now() }));
      return { pid: 1000 + (container.startedAt % 30_000), startTime: container.startedAt };
    },
  };
}

function mount(
  container: ContainerRuntime,
  volumePath: string,
  actions: readonly IoAction[],
  pod: string,
): void {
  const path = volumePath.replace(/(.)\/+$/, "$1");
  if (!container.mounts.has(path))
    throw new Error(
      `failed to apply for pod ${pod}: rpc error: code = Unknown desc = toda startup takes too long or an error occurs: source: ${path}, target: ${hidden(path)}`,
    );
  unmountToda(container);
  const faults = actions.map((action) => faultOf(action, path));
  if (faults.every((fault) => fault !== undefined)) container.ioFaults.push(...faults);
}

/** Where toda moves the original mount: `/var/data` -> `/var/__chaosfs__data__`. */
function hidden(path: string): string {
  const cut = path.lastIndexOf("/");
  return `${path.slice(0, cut)}/__chaosfs__${path.slice(cut + 1)}__`;
}
