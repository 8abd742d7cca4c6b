import type { KubeObject, PodSpec } from "@microremed/cluster";
import { oncePerFrozen } from "@microremed/core";
import { meetsRequirement } from "@microremed/kube-rules";
import { z } from "zod";

const Requirement = z.object({
  key: z.string(),
  operator: z.enum(["In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"]),
  values: z.array(z.string()).default([]),
});
const Term = z.object({
  matchExpressions: z.array(Requirement).default([]),
  matchFields: z.array(Requirement).default([]),
});
type Term = z.infer<typeof Term>;

/** Of an affinity only what the scheduler must keep to; what it prefers keeps a pod off nothing. */
const Affinity = z.object({
  nodeAffinity: z
    .object({
      requiredDuringSchedulingIgnoredDuringExecution: z
        .object({ nodeSelectorTerms: z.array(Term) })
        .optional(),
    })
    .optional(),
});

/**
 * Whether a template's constraints keep every pod off the named nodes and leave at least one other node. A template
 * with a node's name goes past the scheduler, and constraints between pods depend on where others run: neither counts.
 */
export function keepsOff(
  template: PodSpec,
  nodes: readonly KubeObject[],
  affected: readonly string[],
): boolean {
  if (affected.length === 0 || template.nodeName !== undefined) return false;
  const fitting = nodes.filter((node) => mayRunOn(template, node)).map(({ metadata }) => metadata.name);
  return fitting.length > 0 && !affected.some((name) => fitting.includes(name));
}

/**
 * How many nodes besides the affected ones a template's new pods may be put on: constraints, cordons and taints of
 * nodes count, their free capacity does not.
 */
export function otherNodes(
  template: PodSpec,
  nodes: readonly KubeObject[],
  affected: readonly string[],
): number {
  const open = nodes.filter((node) => isOpenTo(template, node));
  return open.filter(({ metadata }) => !affected.includes(metadata.name)).length;
}

/** Whether a node takes new pods of a template: constraints, cordons and taints count, its free capacity does not. */
export const isOpenTo = (template: PodSpec, node: KubeObject): boolean =>
  mayRunOn(template, node) && takesPodsOf(template, node);

const Taint = z.object({ key: z.string(), value: z.string().default(""), effect: z.string() });
const Cordoned = z.object({
  spec: z
    .object({ unschedulable: z.boolean().default(false), taints: z.array(Taint).default([]) })
    .prefault({}),
});
const Toleration = z.object({
  key: z.string().default(""),
  operator: z.string().default("Equal"),
  value: z.string().default(""),
  effect: z.string().default(""),
});
const Tolerating = z.object({ tolerations: z.array(Toleration).default([]) });

const cordonOf = oncePerFrozen((node: KubeObject) => Cordoned.parse(node).spec);
const tolerationsOf = oncePerFrozen((template: PodSpec) => Tolerating.parse(template).tolerations);

/** Whether neither a cordon nor a taint keeps new pods of a template off a node. */
function takesPodsOf(template: PodSpec, node: KubeObject): boolean {
  const { unschedulable, taints } = cordonOf(node);
  const tolerated = tolerationsOf(template);
  const holding = taints.filter(({ effect }) => effect !== "PreferNoSchedule");
  return (
    !unschedulable &&
    holding.every((taint) =>
      tolerated.some(
        ({ key, operator, value, effect }) =>
          (effect === "" || effect === taint.effect) &&
          (operator === "Exists"
            ? key === "" || key === taint.key
            : key === taint.key && value === taint.value),
      ),
    )
  );
}

/** Node selector and required node affinity, as the scheduler reads them. */
function mayRunOn({ nodeSelector = {}, affinity }: PodSpec, { metadata }: KubeObject): boolean {
  const labels = metadata.labels ?? {};
  if (!Object.entries(nodeSelector).every(([label, value]) => labels[label] === value)) return false;
  const required = Affinity.safeParse(affinity ?? {}).data?.nodeAffinity
    ?.requiredDuringSchedulingIgnoredDuringExecution;
  if (required === undefined) return true;
  const fields = { "metadata.name": metadata.name };
  const fits = ({ matchExpressions, matchFields }: Term): boolean =>
    // A term without requirements matches no node.
    matchExpressions.length + matchFields.length > 0 &&
    matchExpressions.every((one) => meetsRequirement(labels, one)) &&
    matchFields.every((one) => meetsRequirement(fields, one));
  return required.nodeSelectorTerms.some(fits);
}
