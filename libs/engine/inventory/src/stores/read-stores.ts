import type { Environment } from "@microremed/catalogue";
import type { Cluster, KubeObject, Pod } from "@microremed/cluster";
import { isSilent } from "../is-silent.ts";
import { workloadsOver } from "../pod-owner.ts";
import { mongoStore } from "./mongo-store.ts";
import { mysqlStore } from "./mysql-store.ts";
import { postgresStore } from "./postgres-store.ts";
import { redisStore } from "./redis-store.ts";
import type { StoreAnswer, StoreKind } from "./store-state.ts";

/** Ms of cluster time: a server that takes longer is not judged. */
const timeoutMs = 20_000;
/** Execs at once. */
const atOnce = 8;
/** Of the shell: the client is not there, or may not be run. */
const missing = [126, 127];

/** By the runtime that the environment's model names. */
export const storeKinds: Readonly<Record<string, StoreKind>> = {
  redis: redisStore,
  mysql: mysqlStore,
  mongodb: mongoStore,
  postgresql: postgresStore,
};

/** Datastores and brokers that are not asked, and why. */
export const unaskedStores: Readonly<Record<string, string>> = {
  memcached: "it keeps no accounts, and its settings are those of its command, which is compared",
  rabbitmq: "its client is not simulated, so nothing in force can be changed by it on an embedded cluster",
  nats: "its client is not simulated, so nothing in force can be changed by it on an embedded cluster",
  kafka:
    "of its clients only one that reads is simulated, so nothing in force can be changed on an embedded cluster",
};

/** A server of a datastore in a pod of a declared workload. */
export interface StoreServer {
  readonly pod: Pod;
  readonly workload: string;
  readonly container: string;
  readonly kind: StoreKind;
  readonly port: number;
}

/** What servers of datastores say of themselves, by `processOf`. */
export type StoreAnswers = Readonly<Record<string, StoreAnswer>>;

/** Names the process in a server's container: another one has read its settings again. */
export function processOf({ pod, container }: Pick<StoreServer, "pod" | "container">): string {
  const status = pod.status?.containerStatuses?.find(({ name }) => name === container);
  return `${pod.metadata.uid} ${container} ${status?.restartCount ?? 0}`;
}

/** The servers of datastores that the environment declares and that run, by their pods' owners. */
export function storeServers(environment: Environment, objects: readonly KubeObject[]): StoreServer[] {
  const workloadOf = workloadsOver(environment, objects);
  const pods = objects.filter(({ kind }) => kind === "Pod") as readonly Pod[];
  return pods.filter(isRunning).flatMap((pod): StoreServer[] => {
    const workload = workloadOf(pod);
    if (workload === undefined) return [];
    return (environment.workloads[workload]?.containers ?? []).flatMap(({ name, behaviour, ports }) => {
      const kind = Object.hasOwn(storeKinds, behaviour.runtime) ? storeKinds[behaviour.runtime] : undefined;
      if (!kind) return [];
      const port = ports[0]?.containerPort ?? kind.usualPort;
      return [{ pod, workload, container: name, kind, port }];
    });
  });
}

/** Whether an environment declares a datastore that can be asked. */
export const hasStores = ({ workloads }: Pick<Environment, "workloads">): boolean =>
  Object.values(workloads).some(({ containers }) =>
    containers.some(({ behaviour }) => Object.hasOwn(storeKinds, behaviour.runtime)),
  );

const isRunning = ({ metadata, status }: Pod): boolean =>
  metadata.deletionTimestamp === undefined && status?.phase === "Running";

/** Asks each server by the client in its container. One that could not be reached is left out. */
export async function readStores(cluster: Cluster, servers: readonly StoreServer[]): Promise<StoreAnswers> {
  await using _hold = await cluster.clock.hold();
  const found = new Map<StoreServer, StoreAnswer>();
  const queue = servers.values();
  const work = async (): Promise<void> => {
    for (const server of queue) {
      const answer = await askServer(cluster, server);
      if (answer) found.set(server, answer);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, servers.length) }, work));
  // In the order in which they were asked, whichever answered first.
  return Object.fromEntries(
    servers.flatMap((server) => {
      const answer = found.get(server);
      return answer ? [[processOf(server), answer] as const] : [];
    }),
  );
}

async function askServer(
  cluster: Cluster,
  { pod, container, kind, port }: StoreServer,
): Promise<StoreAnswer | undefined> {
  const where = { namespace: pod.metadata.namespace ?? "", pod: pod.metadata.name, container };
  const run = async (script: string) =>
    await cluster.exec({ ...where, command: ["sh", "-c", `PORT=${port}; ${script}`], timeoutMs });
  try {
    const first = await run(kind.script);
    if (missing.includes(first.exitCode)) return { refused: "its client is not there" };
    const script = kind.further?.(first.stdout);
    const more = script === undefined ? "" : (await run(script)).stdout;
    return kind.read(`${first.stdout}\n${more}`);
  } catch (error) {
    if (!isSilent(error)) throw error;
    return undefined;
  }
}
