import type { KubeObject, Pod, Workload } from "@microremed/cluster";
import type { DamageClass } from "@microremed/contracts";
import { isJsonObject, ownNamesOnly } from "@microremed/core";
import { type LabelSelector, matchesSelector } from "@microremed/kube-rules";
import { identityOf } from "../inventory.ts";
import { normalise } from "../normalise.ts";
import { hasPlace, type Surroundings } from "./next-place.ts";
import { type PodTemplate, podTemplateOf, type TemplateContainer } from "./pod-template.ts";
import { dataOf, filesOf, type Lookup, type Need, needsOf } from "./sources.ts";
import { variablesOf, wordsOf } from "./variables.ts";

/** Why the next pod of a declared workload would not start, or not as declared, though its present ones run. */
export interface StartFinding {
  readonly workload: KubeObject;
  readonly class: DamageClass;
  readonly detail: string;
}

/** A finding in one line, to find it again. */
export const startText = ({ workload, detail }: StartFinding): string => `${identityOf(workload)} ${detail}`;

/**
 * What the next pods of declared workloads would lack or get otherwise. Each field that was added may be harmless by
 * itself, and so may each object that is not declared: only together they show what a pod starts with. What is declared and
 * was changed or removed is found where it is compared, and is taken here as it is.
 */
export function startFindings(
  record: readonly KubeObject[],
  live: readonly KubeObject[],
  nodes: readonly KubeObject[] = [],
): StartFinding[] {
  const declared = new Map(record.map((object) => [identityOf(object), object]));
  const now = new Map(live.map((object) => [identityOf(object), object]));
  const sources: Sources = {
    declared: (kind, name) => declaredData(declared.get(`${kind}/${name}`), now.get(`${kind}/${name}`)),
    now: (kind, name) => {
      const here = dataOf(now.get(`${kind}/${name}`));
      const before = dataOf(declared.get(`${kind}/${name}`));
      return here || before ? ownNamesOnly({ ...before, ...here }) : undefined;
    },
    isThere: ({ kind, name }) => now.has(`${kind}/${name}`) || declared.has(`${kind}/${name}`),
  };
  const pods = live.filter(({ kind }) => kind === "Pod") as readonly Pod[];
  const around: Surroundings = { nodes, pods };
  return record.flatMap((object): StartFinding[] => {
    const workload = now.get(identityOf(object));
    // Both with their fields in one order: an API server has one of its own.
    const [before, after] = [
      podTemplateOf(normalise(object)),
      workload && podTemplateOf(normalise(workload)),
    ];
    if (!workload || !before || !after) return [];
    const details = [
      ...missing(before, after, sources),
      ...otherVariables(before, after, sources),
      ...otherFiles(before, after, sources),
      ...otherOrder(before.initContainers, after.initContainers).map(
        (order) => `the containers before its program come in another order: ${order}`,
      ),
      ...keptApart(before, after, workload as Workload, pods),
      ...keptFromAll(object, workload as Workload, record, around),
    ];
    // One starts when those before it have started, which only their hooks make a difference.
    const moved = otherOrder(before.containers, after.containers).map(
      (order) => `its containers start in another order: ${order}`,
    );
    return [
      ...details.map((detail) => ({ workload, class: "breaks" as const, detail })),
      ...moved.map((detail) => ({ workload, class: "changed" as const, detail })),
    ];
  });
}

interface Sources {
  /** The declared keys, with the values that they have now. */
  readonly declared: Lookup;
  /** All that is there now, and declared keys that are not. */
  readonly now: Lookup;
  isThere(need: Need): boolean;
}

function declaredData(recorded: KubeObject | undefined, live: KubeObject | undefined) {
  const [before, here] = [dataOf(recorded), dataOf(live)];
  return (
    before &&
    ownNamesOnly(
      Object.fromEntries(Object.entries(before).map(([key, value]) => [key, here?.[key] ?? value])),
    )
  );
}

function missing(before: PodTemplate, after: PodTemplate, { isThere, now }: Sources): string[] {
  const known = new Set(needsOf(before).map((need) => JSON.stringify(need)));
  const texts = needsOf(after)
    .filter((need) => !known.has(JSON.stringify(need)))
    .flatMap((need) => {
      const { kind, name, key } = need;
      if (!isThere(need)) return [`its next pod needs ${kind}/${name}, which is not there`];
      if (kind === "PersistentVolumeClaim" || key === undefined || now(kind, name)?.[key] !== undefined)
        return [];
      return [`its next pod needs ${key} of ${kind}/${name}, which is not there`];
    });
  return [...new Set(texts)];
}

function otherVariables(before: PodTemplate, after: PodTemplate, { declared, now }: Sources): string[] {
  const all = [...after.initContainers, ...after.containers];
  return [...before.initContainers, ...before.containers].flatMap((container) => {
    const running = all.find(({ name }) => name === container.name);
    if (!running) return [];
    const [wanted, given] = [variablesOf(container, declared), variablesOf(running, now)];
    const others = [...wanted].flatMap(([name, value]) => (given.get(name) === value ? [] : [name]));
    if (others.length > 0)
      return [
        `container ${container.name} of its next pod gets other values of ${others.slice(0, 5).join(", ")}`,
      ];
    const isSame = wordsOf(container, wanted).join("\0") === wordsOf(running, given).join("\0");
    return isSame ? [] : [`container ${container.name} of its next pod gets other arguments`];
  });
}

function otherFiles(before: PodTemplate, after: PodTemplate, { declared, now }: Sources): string[] {
  return before.volumes.flatMap((volume) => {
    const mounted = after.volumes.find(({ name }) => name === volume.name);
    if (!mounted) return [];
    const given = filesOf(mounted, now);
    const others = [...filesOf(volume, declared)].flatMap(([path, content]) =>
      given.get(path) === content ? [] : [path],
    );
    return others.length === 0
      ? []
      : [`volume ${volume.name} of its next pod lacks ${others.slice(0, 5).join(", ")}`];
  });
}

/** What runs first prepares what comes after it. The names in their new order, or nothing. */
function otherOrder(before: readonly TemplateContainer[], after: readonly TemplateContainer[]): string[] {
  const wanted = before.map(({ name }) => name);
  const order = after.map(({ name }) => name).filter((name) => wanted.includes(name));
  const isSame = wanted.filter((name) => order.includes(name)).join(" ") === order.join(" ");
  return isSame ? [] : [order.join(", ")];
}

/** Its next pod starts only where, or as long as, there are none of others' pods. */
function keptApart(
  before: PodTemplate,
  after: PodTemplate,
  { spec }: Workload,
  pods: readonly Pod[],
): string[] {
  const known = new Set(placements(before).map((one) => JSON.stringify(one)));
  const added = placements(after).flatMap((one) =>
    !known.has(JSON.stringify(one)) && isJsonObject(one["labelSelector"])
      ? [one["labelSelector"] as LabelSelector]
      : [],
  );
  if (added.length === 0) return [];
  const labels = spec?.template?.metadata?.labels ?? {};
  const own = (spec?.selector ?? {}) as LabelSelector;
  const others = pods.filter(({ metadata }) => !matchesSelector(own, metadata.labels));
  const isOfOthers = (selector: LabelSelector): boolean =>
    !matchesSelector(selector, labels) ||
    others.some(({ metadata }) => matchesSelector(selector, metadata.labels));
  return added.some(isOfOthers) ? ["its next pod may start only where there are no pods of others"] : [];
}

/**
 * Its next pod fits on no node while the present ones run, so that a rollout waits for ever. As the manifests have all
 * workloads, it would: what keeps every pod away, as a cordon of all nodes, is no rule of a workload.
 */
function keptFromAll(
  declared: KubeObject,
  live: Workload,
  record: readonly KubeObject[],
  around: Surroundings,
): string[] {
  if (around.nodes.length === 0 || !["Deployment", "StatefulSet"].includes(live.kind ?? "")) return [];
  if (hasPlace(live, around)) return [];
  const pods = around.pods.map((pod) => asDeclared(pod, record));
  return hasPlace({ ...(declared as Workload), metadata: live.metadata }, { ...around, pods })
    ? ["its next pod fits on no node while the present ones run, for which a rollout waits for ever"]
    : [];
}

/** A pod with the rules of placement of the declared workload that selects it, where it is now. */
function asDeclared(pod: Pod, record: readonly KubeObject[]): Pod {
  const workload = record.find(
    ({ kind = "", spec }) =>
      ["Deployment", "StatefulSet", "DaemonSet"].includes(kind) &&
      isJsonObject(spec) &&
      isJsonObject(spec["selector"]) &&
      matchesSelector(spec["selector"] as LabelSelector, pod.metadata.labels),
  ) as Workload | undefined;
  const template = workload?.spec?.template?.spec;
  if (!template || !pod.spec?.nodeName) return pod;
  return { ...pod, spec: { ...template, nodeName: pod.spec.nodeName } };
}

const apartFrom = ({ affinity }: Pick<PodTemplate, "affinity">): Record<string, unknown>[] =>
  affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];

/** What the scheduler must keep to, of pods that keep apart. */
function placements({ affinity, topologySpreadConstraints }: PodTemplate): Record<string, unknown>[] {
  return [
    ...apartFrom({ affinity }),
    ...topologySpreadConstraints.filter(({ whenUnsatisfiable }) => whenUnsatisfiable !== "ScheduleAnyway"),
  ];
}
