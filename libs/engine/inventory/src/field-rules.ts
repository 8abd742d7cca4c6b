import { haveSameFlags } from "@microremed/catalogue";
import { parseQuantity } from "@microremed/cluster";
import type { DamageClass } from "@microremed/contracts";
import { again, type Field } from "./fields.ts";
import { readBy } from "./read-by.ts";

/** What is known of the object whose fields changed. */
export interface FieldContext {
  readonly isTarget: boolean;
  /** The fault is in the resources: others are a repair. */
  readonly resourcesMayDiffer: boolean;
  /** Each replica keeps data of its own: one more of them splits it. */
  readonly keepsData: boolean;
  /** The template's constraints keep the workload off the nodes where the fault hit, and there are others. */
  readonly leavesNodes: boolean;
  /** Paths of its probes that notice failures long after the declared ones. */
  readonly lateProbes: ReadonlySet<string>;
  /** Whether two ports of the object, by name or number, are one. */
  readonly isSamePort: (one: string, other: string) => boolean;
}

type Classify = (field: Field, context: FieldContext) => DamageClass;

interface Rule {
  /** Names of fields with dots; `*` is any one of them, `**` at the end any number. */
  readonly path: string;
  readonly is: DamageClass | Classify;
}

/** On the failed workload a right repair may do it; anywhere else it is a change that was not asked for. */
const harmless: Classify = (_, { isTarget }) => (isTarget ? "allowed" : "changed");
/** What comes on top of what is declared; what is declared must stay as it is. */
const addition =
  (then: DamageClass | Classify): Classify =>
  (field, context) =>
    field.from !== undefined || field.path.some((part) => part.endsWith(again))
      ? "breaks"
      : typeof then === "string"
        ? then
        : then(field, context);
/**
 * Up to so many times what is declared, a right repair may ask for more: one that does not know the old limits doubles
 * them, or adds a replica. More is taken from the others on the node.
 */
export const mostTimes = 2;
const isWithin = (to: number, from: number): boolean => to <= from * mostTimes;

/** More replicas serve as well, unless each keeps data of its own. */
const replicas: Classify = ({ from, to }, context) => {
  const [was, is] = [Number(from), Number(to)];
  if (!(is > was) || context.keepsData) return "breaks";
  return context.isTarget && isWithin(is, Math.max(was, 1)) ? "allowed" : "changed";
};

/** `0.5` and `500m` are one quantity. */
const isSame = (from: string, to: string): boolean =>
  parseQuantity(from) !== undefined && parseQuantity(from) === parseQuantity(to);

/** Where the fault is in the resources, more of them is a repair, within bounds. */
const moreResources = (
  from: string,
  to: string,
  { isTarget, resourcesMayDiffer }: FieldContext,
): DamageClass =>
  isTarget && resourcesMayDiffer && isWithin(parseQuantity(to) ?? 0, parseQuantity(from) ?? 0)
    ? "allowed"
    : "changed";

/** Less than before limits the program; so does a limit where there was none. */
const limit: Classify = ({ from, to }, context) => {
  if (from === undefined || to === undefined) return "breaks";
  if (isSame(from, to)) return "allowed";
  if ((parseQuantity(to) ?? 0) >= (parseQuantity(from) ?? 0)) return moreResources(from, to, context);
  // Whether it suffices is the config oracle's to say.
  return context.isTarget && context.resourcesMayDiffer ? "changed" : "breaks";
};
const request: Classify = ({ from, to }, context) => {
  if (to === undefined) return "breaks";
  if (from === undefined) return "changed";
  if (isSame(from, to)) return "allowed";
  return (parseQuantity(to) ?? 0) < (parseQuantity(from) ?? 0) ? "breaks" : moreResources(from, to, context);
};

/** An annotation acts where something reads it, and what no list knows may be read. */
const annotation: Classify = (field, context) => {
  const reader = readBy(field.path.at(-1) ?? "");
  if (reader === "none") return harmless(field, context);
  return reader === "cluster" ? "acts" : "changed";
};
/** Labels, and annotations of what makes no pods and routes nothing, act by themselves nowhere. */
const note: Classify = (field, context) =>
  readBy(field.path.at(-1) ?? "") === "none" ? harmless(field, context) : "changed";

const scheduling: Classify = (_, { isTarget, leavesNodes }) =>
  isTarget && leavesNodes ? "allowed" : "changed";
/**
 * A probe that waits longer or fails later, unless so late that it is as good as none; a stricter one restarts programs
 * that would go on.
 */
const looser: Classify = ({ path, from, to }, { lateProbes }) => {
  if (lateProbes.has(path.slice(0, -1).join("."))) return "breaks";
  return from !== undefined && to !== undefined && Number(to) >= Number(from) ? "changed" : "breaks";
};
/** A node that has no copy of the image could not start the program any more. */
const pullPolicy: Classify = ({ to }) => (to === "Never" ? "breaks" : "changed");
/** From where a Service can be reached: each of them from where those before it can, and from more places. */
export const exposures = ["ClusterIP", "NodePort", "LoadBalancer"];
const exposure: Classify = ({ from = "ClusterIP", to = "ClusterIP" }) => {
  const [was, is] = [exposures.indexOf(from), exposures.indexOf(to)];
  return was >= 0 && is >= was ? "changed" : "breaks";
};
/** With `Local` only the nodes of its pods answer users; with `Cluster` every node does. */
const trafficFromOutside: Classify = ({ from, to }) =>
  from === "Cluster" && to === "Local" ? "breaks" : "changed";
const gained: Classify = ({ to }) => (to === undefined || to === "false" ? "changed" : "privilege");

/** Fewer rights, which a namespace may ask for; whether the program can do without the others is measured. */
const fewerRights =
  (isFewer: (to: string) => boolean): Classify =>
  (field, context) => {
    const { from, to } = field;
    return from === undefined && to !== undefined && isFewer(to) ? harmless(field, context) : "breaks";
  };
/** A right that is given up where none was declared; else as `gained` says. */
const escalation: Classify = (field, context) =>
  field.to === "false" && field.from === undefined ? harmless(field, context) : gained(field, context);

/** An object without fields, which is one only while it has none. */
const empty: Classify = ({ from = "{}", to = "{}" }) => (from === "{}" && to === "{}" ? "allowed" : "breaks");

const template = "spec.template.spec";
const containers = [`${template}.containers.*`, `${template}.initContainers.*`];
const probes = containers.flatMap((path) =>
  ["readinessProbe", "livenessProbe", "startupProbe"].map((probe) => `${path}.${probe}`),
);
const each = (paths: readonly string[], tail: string, is: Rule["is"]): Rule[] =>
  paths.map((path) => ({ path: `${path}.${tail}`, is }));

const ofMetadata: readonly Rule[] = [
  { path: "metadata.annotations.*", is: note },
  { path: "metadata.labels.**", is: addition("changed") },
  { path: "metadata.finalizers.**", is: "changed" },
];

const ofWorkloads: readonly Rule[] = [
  { path: "spec.replicas", is: replicas },
  { path: "spec.template.metadata.annotations.*", is: addition(annotation) },
  // Whether its pods are selected by anything else now is seen on the pods.
  { path: "spec.template.metadata.labels.*", is: addition(note) },
  ...each(containers, "resources.limits.*", limit),
  ...each(containers, "resources.requests.*", request),
  ...each(containers, "env.**", addition("changed")),
  ...each(containers, "imagePullPolicy", pullPolicy),
  ...each(containers, "securityContext.privileged", gained),
  ...each(containers, "securityContext.allowPrivilegeEscalation", escalation),
  ...each(containers, "securityContext.capabilities.drop.**", addition(harmless)),
  ...each([template, ...containers], "securityContext", empty),
  ...each(
    [template, ...containers],
    "securityContext.runAsNonRoot",
    fewerRights((to) => to === "true"),
  ),
  ...each(
    [template, ...containers],
    "securityContext.runAsUser",
    fewerRights((to) => Number(to) > 0),
  ),
  ...each(
    [template, ...containers],
    "securityContext.runAsGroup",
    fewerRights((to) => Number(to) > 0),
  ),
  ...each(
    [template, ...containers],
    "securityContext.seccompProfile.type",
    fewerRights((to) => to === "RuntimeDefault"),
  ),
  ...each(containers, "securityContext.capabilities.add.**", addition(gained)),
  ...each(probes, "initialDelaySeconds", looser),
  ...each(probes, "periodSeconds", looser),
  ...each(probes, "timeoutSeconds", looser),
  ...each(probes, "failureThreshold", looser),
  { path: `${template}.nodeSelector.**`, is: scheduling },
  { path: `${template}.affinity.nodeAffinity.**`, is: scheduling },
  // Its pods can start only as long as others are there.
  {
    path: `${template}.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution.**`,
    is: "breaks",
  },
  { path: `${template}.affinity.**`, is: "changed" },
  { path: `${template}.tolerations.**`, is: addition("changed") },
  { path: `${template}.topologySpreadConstraints.**`, is: "changed" },
  { path: `${template}.terminationGracePeriodSeconds`, is: "changed" },
  { path: `${template}.volumes.*.hostPath.**`, is: addition(gained) },
  { path: `${template}.volumes.**`, is: addition("changed") },
  { path: `${template}.hostPID`, is: gained },
  { path: `${template}.hostIPC`, is: gained },
  { path: "spec.strategy.rollingUpdate.maxSurge", is: "changed" },
  { path: "spec.minReadySeconds", is: "changed" },
  { path: "spec.progressDeadlineSeconds", is: "changed" },
  { path: "spec.revisionHistoryLimit", is: "changed" },
];

/** Flags of flagd that are off in another way, such as disabled, do what is declared. */
const configuration: Classify = (field, context) => {
  const { from, to } = field;
  if (from !== undefined && to !== undefined && haveSameFlags(from, to)) return "changed";
  return addition("changed")(field, context);
};

const ofConfiguration: readonly Rule[] = [
  { path: "data.*", is: configuration },
  { path: "binaryData.*", is: addition("changed") },
  { path: "immutable", is: "changed" },
];

const rights: readonly Rule[] = [
  { path: "rules.**", is: (field) => (field.to === undefined ? "breaks" : "privilege") },
  { path: "subjects.**", is: (field) => (field.to === undefined ? "breaks" : "privilege") },
];

/** By kind. What no rule names breaks what is declared. */
const rules: Readonly<Record<string, readonly Rule[]>> = {
  Deployment: ofWorkloads,
  StatefulSet: ofWorkloads,
  DaemonSet: ofWorkloads,
  Service: [
    { path: "metadata.annotations.*", is: annotation },
    // The cluster chose it, so a Service that was made again has another; who came by the old one does not arrive.
    { path: "spec.ports.*.nodePort", is: "changed" },
    { path: "spec.ports.**", is: addition("changed") },
    // A proxy leaves out Services by their labels.
    { path: "metadata.labels.*", is: addition(annotation) },
    { path: "spec.type", is: exposure },
    { path: "spec.sessionAffinity", is: "changed" },
    { path: "spec.sessionAffinityConfig.**", is: "changed" },
    { path: "spec.externalTrafficPolicy", is: trafficFromOutside },
    { path: "spec.allocateLoadBalancerNodePorts", is: "changed" },
  ],
  ConfigMap: ofConfiguration,
  Secret: ofConfiguration,
  PersistentVolumeClaim: [{ path: "spec.resources.requests.storage", is: request }],
  Role: rights,
  RoleBinding: rights,
  NetworkPolicy: [{ path: "spec.**", is: "acts" }],
  HorizontalPodAutoscaler: [{ path: "spec.**", is: "acts" }],
  PodDisruptionBudget: [{ path: "spec.**", is: "changed" }],
  Ingress: [
    { path: "metadata.annotations.*", is: annotation },
    { path: "spec.rules.**", is: addition("changed") },
  ],
};

/** What a changed field of a declared object means. Unknown fields break it: a judge must not guess. */
export function classOfField(kind: string, field: Field, context: FieldContext): DamageClass {
  if (isRenamedPort(field, context)) return "allowed";
  const rule = [...(rules[kind] ?? []), ...ofMetadata].find(({ path }) => fits(path.split("."), field.path));
  if (rule === undefined) return isEmptyAddition(field) ? "changed" : "breaks";
  return typeof rule.is === "string" ? rule.is : rule.is(field, context);
}

/** The number of a port in the place of its name, or its name for the number. */
const isRenamedPort = ({ path, from, to }: Field, { isSamePort }: FieldContext): boolean =>
  from !== undefined &&
  to !== undefined &&
  /^(targetP|p)ort$/.test(path.at(-1) ?? "") &&
  isSamePort(from, to);

/** `{}` or `[]` where there was nothing says nothing. */
const isEmptyAddition = ({ from, to }: Field): boolean => from === undefined && (to === "{}" || to === "[]");

function fits(pattern: readonly string[], path: readonly string[]): boolean {
  const isOpen = pattern.at(-1) === "**";
  const fixed = isOpen ? pattern.slice(0, -1) : pattern;
  if (isOpen ? path.length < fixed.length : path.length !== fixed.length) return false;
  return fixed.every((part, index) => part === "*" || part === path[index]);
}
