import type { Environment } from "@microremed/catalogue";
import {
  arenaLabel,
  type Cluster,
  chaosKinds,
  chaosRuleKinds,
  harnessNamespace,
  type Kind,
  type KubeObject,
  kinds,
  type Pod,
} from "@microremed/cluster";
import { isJsonObject } from "@microremed/core";
import { readDisplacedPods } from "./bystanders/displaced-pods.ts";
import { readUnwellPods } from "./bystanders/unwell-pods.ts";
import { readChaosRules } from "./chaos-rules.ts";
import { arenaKinds } from "./inventory.ts";
import { type ProgramAges, type ProgramsByContainer, readPrograms } from "./programs/read-programs.ts";
import { type PlacedPods, readPlacedPods } from "./starting/placed-pods.ts";
import { readStores, type StoreAnswers, storeServers } from "./stores/read-stores.ts";
import {
  type MountedVolume,
  mountedVolumes,
  readVolumes,
  type VolumeContent,
} from "./volumes/read-volumes.ts";

/** Everything that an arena is compared by, as the API server had it at one moment. */
export interface ArenaObjects {
  readonly namespace: string;
  /** Of every kind that a client may create, those of the namespace. */
  readonly objects: readonly KubeObject[];
  /** What acts on the namespace without being in `objects`: quotas, chaos of other namespaces, webhooks. */
  readonly around: readonly KubeObject[];
  readonly nodes: readonly KubeObject[];
  /** What runs in the containers; absent: it was not asked. */
  readonly programs?: ProgramsByContainer;
  /** What volumes hold, by their keys; absent: they were not counted. */
  readonly volumes?: Readonly<Record<string, VolumeContent>>;
  /** What servers of datastores say of themselves; absent: they were not asked. */
  readonly stores?: StoreAnswers;
  /** When the scheduler placed the pods; absent: it was not asked. */
  readonly placed?: PlacedPods;
  /** uids of pods that the cluster itself has put away; absent: it was not asked. */
  readonly displaced?: ReadonlySet<string>;
  /** uids of pods of which a container was restarted because it failed a probe; absent: it was not asked. */
  readonly unwell?: ReadonlySet<string>;
}

const ruleKinds: readonly Kind[] = [kinds.resourceQuota, kinds.limitRange, kinds.endpointSlice];
const webhookKinds: readonly Kind[] = [kinds.mutatingWebhook, kinds.validatingWebhook];
/** Every kind that is read to judge an arena: who judges must be allowed to list it. */
export const judgedKinds: readonly Kind[] = [
  ...new Map(
    [...arenaKinds, ...chaosRuleKinds, ...ruleKinds, ...webhookKinds, kinds.node, kinds.event].map((one) => [
      `${one.apiVersion}/${one.kind}`,
      one,
    ]),
  ).values(),
];
const isChaosKind = new Set(chaosKinds.map(({ kind }) => kind));

/** Some forty lists, all at once. `custom`: further kinds, those of the system's custom resources. */
export async function readArena(
  cluster: Cluster,
  namespace: string,
  custom: readonly Kind[] = [],
): Promise<ArenaObjects> {
  const list = async (some: readonly Kind[], scope: { namespace?: string }) =>
    (await Promise.all(some.map((kind) => cluster.list(kind, scope)))).flat();
  const inside = [...custom, ...arenaKinds].filter(({ kind }) => !isChaosKind.has(kind));
  const [objects, rules, chaos, chaosRules, webhooks, nodes] = await Promise.all([
    list(inside, { namespace }),
    list(ruleKinds, { namespace }),
    // Chaos objects of any namespace may select pods of this one.
    list(chaosKinds, {}),
    readChaosRules(cluster, namespace),
    list(webhookKinds, {}),
    list([kinds.node], {}),
  ]);
  const isHere = ({ metadata }: KubeObject): boolean => metadata.namespace === namespace;
  const elsewhere = chaos.filter((object) => !isHere(object) && reaches(object, namespace));
  return {
    namespace,
    objects: [...objects, ...chaos.filter(isHere), ...chaosRules],
    around: [...rules, ...elsewhere, ...webhooks],
    nodes,
  };
}

/**
 * With what runs in its containers, what their volumes hold, and what its datastores' servers have in force: one exec in
 * each. `isCounted`: which volumes; default all. `ages`: "left" leaves out programs that are so young that they may be
 * health checks; a mark has "all".
 */
export async function withInsides(
  cluster: Cluster,
  environment: Environment,
  arena: ArenaObjects,
  isCounted: (volume: MountedVolume) => boolean = () => true,
  ages: ProgramAges = "left",
): Promise<ArenaObjects> {
  const pods = arena.objects.filter(({ kind }) => kind === "Pod") as readonly Pod[];
  // Their clients are programs from outside, which are not to be found there.
  const stores = await readStores(cluster, storeServers(environment, arena.objects));
  const [programs, volumes, placed, displaced, unwell] = await Promise.all([
    readPrograms(cluster, pods, ages),
    readVolumes(cluster, mountedVolumes(pods).filter(isCounted)),
    readPlacedPods(cluster, arena.namespace),
    readDisplacedPods(cluster, arena.namespace, arena.objects),
    readUnwellPods(cluster, arena.namespace),
  ]);
  return { ...arena, programs, volumes, stores, placed, displaced, unwell };
}

/** Whether a chaos object of another namespace selects pods of this one. */
function reaches({ metadata, spec }: KubeObject, namespace: string): boolean {
  // The harness's own of other arenas; agents can put nothing there.
  if (metadata.namespace === harnessNamespace) return metadata.labels?.[arenaLabel] === namespace;
  return selectsFrom(spec, namespace, 0);
}

/** Chaos objects are a few levels deep: workflows hold templates that hold faults. */
const deepest = 12;

/** Without `namespaces` a selector is of its own namespace. */
function selectsFrom(value: unknown, namespace: string, depth: number): boolean {
  if (depth > deepest) return true;
  if (Array.isArray(value)) return value.some((part) => selectsFrom(part, namespace, depth + 1));
  if (!isJsonObject(value)) return false;
  const { namespaces, pods } = value;
  if (Array.isArray(namespaces) && namespaces.includes(namespace)) return true;
  if (isJsonObject(pods) && namespace in pods) return true;
  return Object.values(value).some((part) => selectsFrom(part, namespace, depth + 1));
}
