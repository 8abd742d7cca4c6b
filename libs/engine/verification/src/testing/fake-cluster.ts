import type {
  Chaos,
  Cluster,
  ContainerSample,
  Endpoints,
  KubeObject,
  Pod,
  Workload,
} from "@microremed/cluster";
import { environments } from "@microremed/environments";
import { aPod, aService, aWorkload } from "@microremed/oracles/testing";

/** What the fake shows at a moment of cluster time (ms from 0). */
export interface Scene {
  readonly pod?: Pod;
  readonly workload?: Workload;
  /** Cores; undefined: no sample. */
  readonly cpu?: number;
  /** When the sample was taken; default: now. */
  readonly sampledAt?: number;
  readonly chaos?: boolean;
}

/** Cartservice with one pod, as `at` says, on a clock that only sleeping moves. */
export function fakeCluster(at: (ms: number) => Scene): Cluster & { readonly elapsed: number } {
  let now = 0;
  const refuse = async (): Promise<never> => {
    throw new Error("the fake is read-only");
  };
  const objects = (kind: string): KubeObject[] => {
    const scene = at(now);
    if (kind === "Pod") return [scene.pod ?? aPod(), prober, ...neighbours.map(({ pod }) => pod)];
    if (kind === "Deployment")
      return [scene.workload ?? aWorkload(), ...neighbours.map(({ workload }) => workload)];
    if (kind === "Endpoints") return [aService().endpoints as Endpoints];
    return scene.chaos ? [chaos] : [];
  };
  return {
    name: "fake",
    get elapsed() {
      return now;
    },
    clock: {
      now: async () => now,
      sleep: async (ms) => {
        now += ms;
      },
      hold: async () => ({ [Symbol.asyncDispose]: async () => {} }),
    },
    get: async <T extends KubeObject>(kind: { kind: string }) => objects(kind.kind)[0] as T | undefined,
    list: async <T extends KubeObject>(kind: { kind: string }, scope: { labelSelector?: string }) =>
      objects(kind.kind).filter(({ metadata }) => {
        const { app } = metadata.labels ?? {};
        return scope.labelSelector === undefined ? app !== "prober" : scope.labelSelector === `app=${app}`;
      }) as T[],
    podMetrics: async (): Promise<ContainerSample[]> => {
      const { cpu, sampledAt = now } = at(now);
      if (cpu === undefined) return [];
      const sample = { pod: "cartservice-1", container: "server", windowMs: 15_000, memoryBytes: 1 };
      return [{ ...sample, at: sampledAt, cpuCores: cpu }];
    },
    exec: async () => ({ exitCode: 0, stdout: "open 7070\nanswered 33\n", stderr: "" }),
    fetchText: async () => undefined,
    apply: refuse,
    create: refuse,
    replace: refuse,
    patch: refuse,
    delete: refuse,
    waitUntil: refuse,
    logs: refuse,
    table: refuse,
    agentKubeconfig: refuse,
    runAccess: refuse,
    [Symbol.asyncDispose]: async () => {},
  };
}

const named = <T extends KubeObject>(object: T, name: string): T => ({
  ...object,
  metadata: { ...object.metadata, name, labels: { app: name } },
});
const prober = named(aPod(), "prober");
const neighbours = Object.keys(environments.get("online-boutique").workloads)
  .filter((name) => name !== "cartservice")
  .map((name) => ({ pod: named(aPod(), name), workload: named(aWorkload(), name) }));
const chaos: Chaos = {
  metadata: { name: "cpu-stress", creationTimestamp: "1970-01-01T00:00:00Z" },
  status: { experiment: { desiredPhase: "Run" }, conditions: [{ type: "AllInjected", status: "True" }] },
};
