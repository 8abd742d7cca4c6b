import { isOpenTo } from "@microremed/catalogue";
import type { KubeObject, Pod, PodSpec, Workload } from "@microremed/cluster";
import { oncePer, oncePerFrozen } from "@microremed/core";
import { type LabelSelector, matchesSelector } from "@microremed/kube-rules";
import { z } from "zod";

const Selector = z.custom<LabelSelector>((value) => typeof value === "object" && value !== null);
const OwnKeys = z.array(z.string()).default([]);
const Term = z.object({
  labelSelector: Selector.optional(),
  topologyKey: z.string(),
  matchLabelKeys: OwnKeys,
  mismatchLabelKeys: OwnKeys,
  namespaces: z.array(z.string()).default([]),
  namespaceSelector: z.unknown().optional(),
});
type Term = z.infer<typeof Term>;
const Half = z.object({ requiredDuringSchedulingIgnoredDuringExecution: z.array(Term).default([]) });
const Rules = z.object({
  affinity: z.object({ podAffinity: Half.optional(), podAntiAffinity: Half.optional() }).optional(),
  topologySpreadConstraints: z
    .array(
      z.object({
        maxSkew: z.number().default(1),
        topologyKey: z.string(),
        whenUnsatisfiable: z.string().default("DoNotSchedule"),
        labelSelector: Selector.optional(),
        matchLabelKeys: OwnKeys,
        minDomains: z.number().default(1),
      }),
    )
    .default([]),
  containers: z
    .array(
      z.object({
        ports: z
          .array(z.object({ hostPort: z.number().optional(), protocol: z.string().default("TCP") }))
          .default([]),
      }),
    )
    .default([]),
});
type Rules = z.infer<typeof Rules>;

/** A pod that is to be placed, or runs on a node. */
interface Placed {
  readonly labels: Readonly<Record<string, string>>;
  readonly namespace: string | undefined;
  readonly node: KubeObject | undefined;
  readonly spec: PodSpec;
  readonly rules: Rules;
}

/** What the scheduler sees. */
export interface Surroundings {
  readonly nodes: readonly KubeObject[];
  readonly pods: readonly Pod[];
}

/**
 * Whether one more pod of a workload may be put on a node while the present ones run, by the scheduler's rules: node
 * selector and affinity, cordons and taints, affinity and anti-affinity between pods both ways, spread over domains, ports of
 * nodes. Where a rollout may end a pod first, one of the present ones may be gone. Free capacity does not count: pods of
 * other namespaces are not known.
 */
export function hasPlace(workload: Workload, around: Surroundings): boolean {
  const { nodes } = around;
  const template = workload.spec?.template;
  if (!template?.spec) return true;
  const { namespace } = workload.metadata;
  const metadata = { ...template.metadata, ...(namespace !== undefined && { namespace }) };
  const next = placedOf({ metadata, spec: template.spec }, nodes);
  const placed = placedIn(around);
  const open = nodes.filter((node) => isOpenTo(template.spec as PodSpec, node));
  const fitsBeside = (others: readonly Placed[]): boolean =>
    open.some((node) => next !== undefined && fits(next, node, others, open));
  const all = placed.flatMap(({ one }) => one ?? []);
  if (fitsBeside(all)) return true;
  const selector = (workload.spec?.selector ?? {}) as LabelSelector;
  const own = placed.filter(({ pod }) => matchesSelector(selector, pod.metadata.labels));
  return endsFirst(workload) && own.some(({ one }) => fitsBeside(all.filter((other) => other !== one)));
}

/** Every workload is held against the same pods. */
const placedIn = oncePer(({ nodes, pods }: Surroundings) =>
  pods.filter(takesPlace).map((pod) => ({ pod, one: placedOf(pod, nodes) })),
);

const takesPlace = ({ spec, status }: Pod): boolean =>
  spec?.nodeName !== undefined && status?.phase !== "Succeeded" && status?.phase !== "Failed";

const rulesOf = oncePerFrozen((spec: PodSpec) => Rules.safeParse(spec).data);

/** Undefined: it has rules that no API server would take. */
function placedOf(
  { metadata, spec }: { readonly metadata?: Partial<KubeObject["metadata"]>; readonly spec?: PodSpec },
  nodes: readonly KubeObject[],
): Placed | undefined {
  const rules = spec && rulesOf(spec);
  const node = nodes.find((one) => one.metadata.name === spec?.nodeName);
  const { labels = {}, namespace } = metadata ?? {};
  return spec && rules && { labels, namespace, node, spec, rules };
}

/** Whether a rollout may end a pod before the new one is there: a StatefulSet always does. */
export function endsFirst({ kind, spec }: Workload): boolean {
  if (kind !== "Deployment") return true;
  const { strategy = {} } = (spec ?? {}) as { readonly strategy?: Strategy };
  const { type, rollingUpdate } = strategy;
  const most = rollingUpdate?.maxUnavailable ?? "25%";
  const replicas = spec?.replicas ?? 1;
  const count = typeof most === "number" ? most : Math.floor((Number.parseFloat(most) / 100) * replicas);
  return type === "Recreate" || count >= 1;
}

interface Strategy {
  readonly type?: string;
  readonly rollingUpdate?: { readonly maxUnavailable?: number | string };
}

const domainOf = (node: KubeObject | undefined, key: string): string | undefined =>
  node?.metadata.labels?.[key];
const required = ({ rules }: Placed, half: "podAffinity" | "podAntiAffinity"): readonly Term[] =>
  rules.affinity?.[half]?.requiredDuringSchedulingIgnoredDuringExecution ?? [];

/** Labels by which the pods of one rollout differ from those of another. */
const ofRollout = /^(pod-template-hash|controller-revision-hash)$/;

/** Whether a term of `owner` means a pod: `isNext`: the one that comes with it, whose rollout is its own. */
function means(term: Term, owner: Placed, other: Placed, isNext = false): boolean {
  const isInScope =
    term.namespaces.length === 0 && term.namespaceSelector === undefined
      ? owner.namespace === other.namespace
      : term.namespaceSelector !== undefined || term.namespaces.includes(other.namespace ?? "");
  if (!isInScope || !matchesSelector(term.labelSelector, other.labels)) return false;
  if (!isNext && term.matchLabelKeys.some((key) => ofRollout.test(key))) return false;
  const isSame = (key: string): boolean => ofRollout.test(key) || owner.labels[key] === other.labels[key];
  return (
    term.matchLabelKeys.every(isSame) &&
    !term.mismatchLabelKeys.some((key) => !ofRollout.test(key) && owner.labels[key] === other.labels[key])
  );
}

function fits(
  next: Placed,
  node: KubeObject,
  others: readonly Placed[],
  open: readonly KubeObject[],
): boolean {
  const shares = (other: Placed, key: string): boolean =>
    domainOf(node, key) !== undefined && domainOf(other.node, key) === domainOf(node, key);
  const repels = (term: Term, owner: Placed, meant: Placed, other: Placed): boolean =>
    means(term, owner, meant) && shares(other, term.topologyKey);
  return (
    portsOf(next).every((port) => !others.some((one) => one.node === node && portsOf(one).includes(port))) &&
    required(next, "podAffinity").every(
      (term) =>
        domainOf(node, term.topologyKey) !== undefined &&
        (others.some((other) => means(term, next, other) && shares(other, term.topologyKey)) ||
          // The first pod of a group that wants to be together may go anywhere.
          (means(term, next, next, true) && !others.some((other) => means(term, next, other)))),
    ) &&
    !required(next, "podAntiAffinity").some((term) =>
      others.some((other) => repels(term, next, other, other)),
    ) &&
    !others.some((other) =>
      required(other, "podAntiAffinity").some((term) => repels(term, other, next, other)),
    ) &&
    isSpread(next, node, others, open)
  );
}

const portsOf = ({ rules }: Placed): readonly string[] =>
  rules.containers.flatMap(({ ports }) =>
    ports.flatMap(({ hostPort, protocol }) => (hostPort === undefined ? [] : [`${hostPort}/${protocol}`])),
  );

function isSpread(
  next: Placed,
  node: KubeObject,
  others: readonly Placed[],
  open: readonly KubeObject[],
): boolean {
  const hard = next.rules.topologySpreadConstraints.filter(
    ({ whenUnsatisfiable }) => whenUnsatisfiable !== "ScheduleAnyway",
  );
  return hard.every(({ maxSkew, topologyKey, labelSelector, matchLabelKeys, minDomains }) => {
    const domain = domainOf(node, topologyKey);
    if (domain === undefined) return false;
    const isOfRollout = matchLabelKeys.some((key) => ofRollout.test(key));
    const counts = new Map(
      open.flatMap((one) => {
        const where = domainOf(one, topologyKey);
        return where === undefined ? [] : [[where, 0] as [string, number]];
      }),
    );
    for (const other of isOfRollout ? [] : others) {
      const where = domainOf(other.node, topologyKey);
      const isCounted = other.namespace === next.namespace && matchesSelector(labelSelector, other.labels);
      if (isCounted && where !== undefined && counts.has(where))
        counts.set(where, (counts.get(where) ?? 0) + 1);
    }
    const fewest = counts.size < minDomains ? 0 : Math.min(...counts.values());
    const own = matchesSelector(labelSelector, next.labels) ? 1 : 0;
    return (counts.get(domain) ?? 0) + own - fewest <= maxSkew;
  });
}
