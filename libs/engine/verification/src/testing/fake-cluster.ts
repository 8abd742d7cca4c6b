import { gzipSync } from "node:zlib";
import {
  type Chaos,
  type Cluster,
  type ContainerSample,
  chaosKinds,
  type Endpoints,
  type KubeObject,
  kinds,
  type Pod,
  type Workload,
} from "@microremed/cluster";
import { environments } from "@microremed/environments";
import { type ArenaObjects, markOf } from "@microremed/inventory";
import { anArena, recordOf } from "@microremed/inventory/testing";
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
  /** Objects that were put into the arena. */
  readonly more?: readonly KubeObject[];
}

/** What the injection noted. */
export interface FakeInjection {
  /** Cluster time, ms; default: never. */
  readonly expiresAt?: number | null;
}

/** Cartservice with one pod, as `at` says, on a clock that only sleeping moves. */
export function fakeCluster(
  at: (ms: number) => Scene,
  { expiresAt = null }: FakeInjection = {},
): Cluster & { readonly elapsed: number } {
  let now = 0;
  const refuse = async (): Promise<never> => {
    throw new Error("the fake is read-only");
  };
  const kept = new Map([
    [`arena-${namespace}`, { record: gzipSync(JSON.stringify(record)).toString("base64") }],
  ]);
  const keepMark = (mark: unknown) =>
    kept.set(`injected-${namespace}`, {
      mark: Buffer.from(JSON.stringify(mark)).toString("base64"),
    } as never);
  keepMark(markOf({ ...injected, expiresAt }, environment, record, arenaOf(at(0).chaos ? [chaos] : []), {}));
  const objects = (kind: string): KubeObject[] => {
    const scene = at(now);
    const more = (scene.more ?? []).filter((one) => one.kind === kind);
    if (kind === "Pod") return [...podsOf(scene), prober, ...more];
    if (kind === "Deployment") return [...deploymentsOf(scene), ...more];
    if (chaosKinds.some((one) => one.kind === kind))
      return scene.chaos && kind === chaos.kind ? [chaos, ...more] : more;
    if (kind === "Endpoints") return [aService().endpoints as Endpoints];
    return [...healthy.objects.filter((one) => one.kind === kind), ...more];
  };
  return {
    name: "fake",
    sendsLoad: true,
    ownNameServer: false,
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
    get: async <T extends KubeObject>(kind: { kind: string }, _: unknown, name: string) => {
      const data = kept.get(name);
      if (kind.kind === "Secret" && data) return { metadata: { name }, data } as unknown as T;
      return objects(kind.kind).find(({ metadata }) => metadata.name === name || kind.kind === "Endpoints") as
        | T
        | undefined;
    },
    list: async <T extends KubeObject>(
      kind: { apiVersion: string; kind: string },
      scope: { labelSelector?: string },
    ) =>
      objects(kind.kind)
        .filter(({ metadata }) => {
          const { app } = metadata.labels ?? {};
          return scope.labelSelector === undefined ? app !== "prober" : scope.labelSelector === `app=${app}`;
        })
        .map((object) => ({ ...object, apiVersion: kind.apiVersion, kind: kind.kind })) as unknown as T[],
    podMetrics: async (): Promise<ContainerSample[]> => {
      const { cpu, sampledAt = now } = at(now);
      if (cpu === undefined) return [];
      const sample = { pod: "cartservice-1", container: "server", windowMs: 15_000, memoryBytes: 1 };
      return [{ ...sample, at: sampledAt, cpuCores: cpu }];
    },
    exec: async () => ({ exitCode: 0, stdout: "open 7070\nanswered 33\n", stderr: "" }),
    fetchText: async () => undefined,
    customResources: async () => [],
    apply: async (object) => {
      const { mark } = object["data"] as { mark?: string };
      if (mark === undefined) return refuse();
      kept.set(object.metadata.name, { mark } as never);
      return object as never;
    },
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

const environment = environments.get("online-boutique");
const namespace = "shop";
const target = "cartservice";
const cause = kinds.stressChaos;
const injected = {
  failure: "cpu-stress",
  target,
  alsoFailed: [],
  resourcesOf: [],
  fence: 1,
  injectedAt: 0,
  nodes: [],
  causes: [cause],
};
const healthy = anArena(environment, namespace);
const record = recordOf(healthy);
const arenaOf = (more: readonly KubeObject[]): ArenaObjects => ({
  ...healthy,
  objects: [...healthy.objects, ...more],
});

/** What the API server has declared, with the state that the scene's has. */
function like<T extends KubeObject>(declared: T | undefined, shown: T): T {
  if (!declared) return shown;
  const metadata = { ...declared.metadata, ...shown.metadata };
  return { ...declared, ...shown, metadata, spec: declared["spec"] };
}

const kindOf = <T extends KubeObject>(kind: string): T[] =>
  healthy.objects.filter((one) => one.kind === kind) as T[];
const nameOf = ({ metadata }: KubeObject): string => metadata.name.replace(/-0$/, "");

function podsOf(scene: Scene): Pod[] {
  return kindOf<Pod>("Pod").map((declared) => {
    const isTarget = nameOf(declared) === target;
    const shown = isTarget ? (scene.pod ?? aPod()) : named(aPod(), nameOf(declared));
    const labels = { ...declared.metadata.labels, ...shown.metadata.labels };
    const pod = like(declared, shown);
    return { ...pod, metadata: { ...pod.metadata, labels }, status: shown.status ?? {} };
  });
}

function deploymentsOf(scene: Scene): Workload[] {
  return kindOf<Workload>("Deployment").map((declared) => {
    const isTarget = nameOf(declared) === target;
    const shown = isTarget ? (scene.workload ?? aWorkload()) : aWorkload();
    const { uid, ...metadata } = { ...shown.metadata, name: declared.metadata.name };
    const { status = {} } = shown;
    return { ...declared, metadata: { ...metadata, ...declared.metadata }, status };
  });
}

const named = <T extends KubeObject>(object: T, name: string): T => ({
  ...object,
  metadata: { ...object.metadata, name, uid: `uid-pod-${name}`, labels: { app: name } },
});
const prober = named(aPod(), "prober");
const chaos: Chaos = {
  apiVersion: cause.apiVersion,
  kind: cause.kind,
  metadata: { name: "cpu-stress", namespace, uid: "uid-chaos", creationTimestamp: "1970-01-01T00:00:00Z" },
  status: { experiment: { desiredPhase: "Run" }, conditions: [{ type: "AllInjected", status: "True" }] },
};
