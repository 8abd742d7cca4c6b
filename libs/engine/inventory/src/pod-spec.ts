import { type Container, type Pod, type PodSpec, parseQuantity, type Workload } from "@microremed/cluster";
import type { DamageClass } from "@microremed/contracts";
import { isJsonObject, oncePerFrozen } from "@microremed/core";
import { type Leaf, leavesOf } from "./fields.ts";
import { tokenVolume } from "./pod-token.ts";

/** One way in which a pod is not what its template says. */
export interface SpecProblem {
  readonly class: DamageClass;
  readonly detail: string;
}

const breaks = (detail: string): SpecProblem => ({ class: "breaks", detail });
const changed = (detail: string): SpecProblem => ({ class: "changed", detail });

/** Of pods only the cluster writes these, with any value. */
const assigned = new Set(["nodeName", "overhead"]);
/** The cluster may give them to every pod. One that has them alone was made by hand and taken over by its controller. */
const givenToAll = new Set([
  ...["imagePullSecrets", "priority", "priorityClassName", "preemptionPolicy", "enableServiceLinks"],
]);
/** What the cluster fills in where a template says nothing. */
const defaults: Readonly<Record<string, string>> = {
  priority: "0",
  preemptionPolicy: "PreemptLowerPriority",
  enableServiceLinks: "true",
  dnsPolicy: "ClusterFirst",
  restartPolicy: "Always",
  schedulerName: "default-scheduler",
  serviceAccount: "default",
  serviceAccountName: "default",
  terminationGracePeriodSeconds: "30",
};
const ofContainers = new Set([
  ...["terminationMessagePath", "terminationMessagePolicy"],
  ...["imagePullPolicy", "resizePolicy"],
]);
const tokenMount = "/var/run/secrets/kubernetes.io/serviceaccount";
const tokenSources = new Set(["serviceAccountToken", "configMap", "downwardAPI"]);

/** What a pod has that its workload's template does not say, or lacks of what it says, beside what the cluster adds. */
export function specProblems(pod: Pod, workload: Workload): readonly SpecProblem[] {
  return problemsOf(pod)(workload);
}

const problemsOf = oncePerFrozen((pod: Pod) =>
  oncePerFrozen((workload: Workload) => problemsBetween(pod, workload)),
);

function problemsBetween({ metadata, spec }: Pod, workload: Workload): SpecProblem[] {
  const template = templateFor(metadata.name, workload);
  if (!spec || !template) return [];
  const { containers, initContainers = [], ephemeralContainers: _debug, ...rest } = spec;
  const { containers: wanted, initContainers: first = [], ...wantedRest } = template;
  const { tolerations, ...others } = rest as typeof rest & { readonly tolerations?: unknown };
  const { tolerations: tolerated, ...wantedOthers } = wantedRest as typeof wantedRest & {
    readonly tolerations?: unknown;
  };
  const ofDaemonSet = workload.kind === "DaemonSet";
  const placed = ofDaemonSet ? withoutNodeAffinity : (value: object): object => value;
  const [declared, live] = [leavesOf(placed(wantedOthers)), leavesOf(placed(others))];
  return [
    ...containersProblems(first, initContainers),
    ...containersProblems(wanted, containers),
    ...differing(declared, live).map((text) => breaks(`has ${text}`)),
    ...added(declared, live)
      .filter((leaf) => !isOfTheCluster(leaf))
      .map(({ path, text }) => {
        const detail = `has ${path.join(".")} ${text}, which its template has not`;
        return givenToAll.has(path[0] ?? "") ? changed(detail) : breaks(detail);
      }),
    ...tolerationProblems(tolerated, tolerations, ofDaemonSet),
  ];
}

/** By it a DaemonSet puts each of its pods on the node that it is for; no client can change it afterwards. */
function withoutNodeAffinity(spec: { readonly affinity?: unknown }): object {
  const { affinity, ...rest } = spec;
  if (!isJsonObject(affinity)) return spec;
  const { nodeAffinity: _, ...others } = affinity;
  return Object.keys(others).length > 0 ? { ...rest, affinity: others } : rest;
}

function isOfTheCluster({ path, text }: Leaf): boolean {
  const [field = ""] = path;
  if (field === "volumes") return isOfToken(path);
  return assigned.has(field) || defaults[field] === text;
}

/** Of a volume with the pod's token: anything else under its name was put there. */
function isOfToken([, volume = "", what, part, , source]: readonly string[]): boolean {
  if (!tokenVolume.test(volume)) return false;
  if (what === "name") return true;
  return what === "projected" && (part === "defaultMode" || tokenSources.has(source ?? ""));
}

/** The mount of that volume, and nothing else, at its place. */
const isTokenMount = ({ path: [field, place, what], text }: Leaf): boolean =>
  field === "volumeMounts" &&
  place === tokenMount &&
  (what === "name" ? tokenVolume.test(text) : what === "mountPath" || what === "readOnly");

/**
 * What a pod of a name is made from. A StatefulSet gives each its own host name, by which the others find it, and its own
 * claims in the place of volumes of their names.
 */
function templateFor(pod: string, workload: Workload): PodSpec | undefined {
  const template = workload.spec?.template?.spec;
  if (!template || workload.kind !== "StatefulSet") return template;
  const { serviceName, volumeClaimTemplates } = workload.spec as {
    readonly serviceName?: string;
    readonly volumeClaimTemplates?: unknown;
  };
  const claims = claimNamesOf(volumeClaimTemplates);
  const { volumes = [] } = template as { readonly volumes?: readonly { readonly name: string }[] };
  return {
    ...template,
    hostname: pod,
    ...(serviceName !== undefined && serviceName !== "" && { subdomain: serviceName }),
    ...(claims.length + volumes.length > 0 && {
      volumes: [
        ...volumes.filter(({ name }) => !claims.includes(name)),
        ...claims.map((name) => ({ name, persistentVolumeClaim: { claimName: `${name}-${pod}` } })),
      ],
    }),
  } as PodSpec;
}

function claimNamesOf(templates: unknown): string[] {
  if (!Array.isArray(templates)) return [];
  return templates.flatMap((claim: unknown) => {
    const metadata = isJsonObject(claim) ? claim["metadata"] : undefined;
    return isJsonObject(metadata) ? [String(metadata["name"])] : [];
  });
}

/**
 * Tolerations can be added to a running pod; those of failing nodes, for five minutes, the cluster adds to every one, and
 * those of troubled nodes to a DaemonSet's.
 */
function tolerationProblems(wanted: unknown, has: unknown, ofDaemonSet: boolean): SpecProblem[] {
  const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
  const declared = new Set(list(wanted).map((one) => JSON.stringify(one)));
  return list(has).flatMap((one) => {
    if (declared.has(JSON.stringify(one)) || isOfFailingNodes(one)) return [];
    if (ofDaemonSet && isJsonObject(one) && String(one["key"]).startsWith("node.kubernetes.io/")) return [];
    return [changed(`tolerates ${JSON.stringify(one)}, which its template does not`)];
  });
}

function isOfFailingNodes(one: unknown): boolean {
  if (!isJsonObject(one) || one["tolerationSeconds"] !== 300) return false;
  return ["node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"].includes(String(one["key"]));
}

function containersProblems(wanted: readonly Container[], running: readonly Container[]): SpecProblem[] {
  const declared = new Set(wanted.map(({ name }) => name));
  return [
    ...wanted.flatMap((one) => {
      const like = running.find(({ name }) => name === one.name);
      return like ? containerProblems(one, like) : [breaks(`has no container ${one.name}`)];
    }),
    ...running
      .filter(({ name }) => !declared.has(name))
      .map(({ name }) => breaks(`has the container ${name}, which its template has not`)),
  ];
}

function containerProblems(
  { resources: wantedResources, ...wanted }: Container,
  { resources, ...running }: Container,
): SpecProblem[] {
  const isOwn = (leaf: Leaf): boolean => !ofContainers.has(leaf.path[0] ?? "") && !isTokenMount(leaf);
  const [declared, live] = [leavesOf(wanted), leavesOf(running)];
  return [
    ...differing(declared, live).map((text) => breaks(`container ${wanted.name} has ${text}`)),
    ...added(declared, live)
      .filter(isOwn)
      .map(({ path, text }) =>
        breaks(`container ${wanted.name} has ${path.join(".")} ${text}, which its template has not`),
      ),
    ...resourceProblems(wanted.name, wantedResources, resources),
  ];
}

/**
 * Limits and requests that a template leaves open and a pod has: it was resized in place, unless limit ranges of the
 * cluster have filled them in. A request that is the limit is the API server's default.
 */
export function openResourceProblems({ spec }: Pod, workload: Workload): readonly SpecProblem[] {
  const template = workload.spec?.template?.spec;
  return (template?.containers ?? []).flatMap(({ name: container, resources: wanted }) => {
    const has = spec?.containers.find(({ name }) => name === container)?.resources;
    return (["limits", "requests"] as const).flatMap((what) =>
      Object.entries(has?.[what] ?? {}).flatMap(([name, quantity]) => {
        if (wanted?.[what]?.[name] !== undefined) return [];
        if (what === "requests" && quantity === has?.limits?.[name]) return [];
        const detail = `container ${container} has a ${name} ${what.slice(0, -1)} of ${quantity}, its template has none`;
        return [what === "limits" ? breaks(detail) : changed(detail)];
      }),
    );
  });
}

/** Pods can be resized in place. */
function resourceProblems(
  container: string,
  wanted: Container["resources"],
  has: Container["resources"],
): SpecProblem[] {
  return (["limits", "requests"] as const).flatMap((what) =>
    Object.entries(wanted?.[what] ?? {}).flatMap(([name, quantity]) => {
      const [is, declared] = [parseQuantity(has?.[what]?.[name]), parseQuantity(quantity) ?? 0];
      if (is === declared) return [];
      const detail = `container ${container} has a ${name} ${what.slice(0, -1)} of ${is ?? "none"}, not ${quantity}`;
      return [is !== undefined && is > declared ? changed(detail) : breaks(detail)];
    }),
  );
}

const isEmpty = (text: string): boolean => text === "{}" || text === "[]";

type Leaves = ReadonlyMap<string, Leaf>;

/** What the template says and the pod has otherwise. */
function differing(wanted: Leaves, has: Leaves): string[] {
  return [...wanted].flatMap(([key, { path, text }]) => {
    const is = has.get(key)?.text;
    if (is === text || (isEmpty(text) && is === undefined)) return [];
    // An empty object that the cluster has filled is seen among what was added.
    if (isEmpty(text) && path.length > 0 && hasBelow(has, path)) return [];
    return [`${path.join(".")} ${is ?? "none"} instead of ${text}`];
  });
}

const hasBelow = (leaves: Leaves, path: readonly string[]): boolean =>
  leaves.values().some((leaf) => path.every((part, index) => leaf.path[index] === part));

/** What the pod has and the template does not say. */
const added = (wanted: Leaves, has: Leaves): Leaf[] =>
  [...has].flatMap(([key, leaf]) => (wanted.has(key) || isNothing(leaf) ? [] : [leaf]));

/** Null and what is empty count as absent. */
const isNothing = ({ text }: Leaf): boolean => text === "null" || text === "undefined" || isEmpty(text);
