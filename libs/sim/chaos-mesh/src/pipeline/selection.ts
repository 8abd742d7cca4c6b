import type { Rng } from "@microremed/core";
import { holdsLabels, type LabelRequirement, meetsRequirement } from "@microremed/kube-rules";
import type { KubeObject } from "@microremed/sim-objects";

type Strings = Readonly<Record<string, string>>;

/** `spec.selector` of an experiment. */
export interface PodSelector {
  readonly namespaces?: readonly string[];
  readonly labelSelectors?: Strings;
  readonly expressionSelectors?: readonly LabelRequirement[];
  readonly annotationSelectors?: Strings;
  readonly fieldSelectors?: Strings;
  readonly podPhaseSelectors?: readonly string[];
  readonly nodes?: readonly string[];
  readonly nodeSelectors?: Strings;
  readonly pods?: Readonly<Record<string, readonly string[]>>;
}

export interface Selection {
  readonly selector?: PodSelector;
  readonly mode?: string;
  readonly value?: string;
}

const includes = (wanted: Strings | undefined, given: Strings | undefined): boolean =>
  holdsLabels(given, wanted ?? {});

function fieldOf(pod: KubeObject, field: string): string | undefined {
  const fields: Readonly<Record<string, unknown>> = {
    "metadata.name": pod.metadata.name,
    "metadata.namespace": pod.metadata.namespace,
    "spec.nodeName": pod.spec?.nodeName,
    "spec.restartPolicy": pod.spec?.restartPolicy,
    "spec.schedulerName": pod.spec?.schedulerName,
    "spec.serviceAccountName": pod.spec?.serviceAccountName,
    "status.phase": pod.status?.phase,
    "status.podIP": pod.status?.podIP,
    "status.nominatedNodeName": pod.status?.nominatedNodeName,
  };
  const value = Object.hasOwn(fields, field) ? fields[field] : undefined;
  return value === undefined ? "" : String(value);
}

function phaseMatches(wanted: readonly string[] | undefined, phase: string): boolean {
  if (!wanted?.length) return true;
  if (wanted.includes(`!${phase}`)) return false;
  const positive = wanted.filter((item) => !item.startsWith("!"));
  return positive.length === 0 || positive.includes(phase);
}

/** Names of the nodes the pods must be on; undefined: any. Throws on an unknown node. */
function chosenNodes(selector: PodSelector, nodes: readonly KubeObject[]): ReadonlySet<string> | undefined {
  const byLabel = Object.keys(selector.nodeSelectors ?? {}).length > 0;
  if (!selector.nodes?.length && !byLabel) return undefined;
  const unknown = selector.nodes?.find((name) => !nodes.some((node) => node.metadata.name === name));
  if (unknown !== undefined) throw new Error(`Node "${unknown}" not found`);
  const labelled = byLabel
    ? nodes.filter((node) => includes(selector.nodeSelectors, node.metadata.labels))
    : [];
  return new Set([...(selector.nodes ?? []), ...labelled.map((node) => node.metadata.name)]);
}

/** Every pod that the selector matches, in the given order. There is no filter by readiness or phase by default. */
export function matchingPods(
  selector: PodSelector,
  pods: readonly KubeObject[],
  nodes: readonly KubeObject[],
): readonly KubeObject[] {
  if (selector.pods)
    return pods.filter((pod) => selector.pods?.[pod.metadata.namespace ?? ""]?.includes(pod.metadata.name));
  const onNodes = chosenNodes(selector, nodes);
  return pods.filter(
    (pod) =>
      (!selector.namespaces?.length || selector.namespaces.includes(pod.metadata.namespace ?? "")) &&
      includes(selector.labelSelectors, pod.metadata.labels) &&
      includes(selector.annotationSelectors, pod.metadata.annotations) &&
      (selector.expressionSelectors ?? []).every((rule) => meetsRequirement(pod.metadata.labels, rule)) &&
      Object.entries(selector.fieldSelectors ?? {}).every(
        ([field, value]) => fieldOf(pod, field) === value,
      ) &&
      phaseMatches(selector.podPhaseSelectors, String(pod.status?.phase ?? "Pending")) &&
      (!onNodes || onNodes.has(String(pod.spec?.nodeName ?? ""))),
  );
}

/** How many of `count` the mode takes. */
function share(mode: string, value: string | undefined, count: number, rng: Rng): number {
  if (mode === "all") return count;
  if (mode === "one") return Math.min(1, count);
  const number = Number(value);
  if (mode === "fixed") return Math.min(number, count);
  const percent = mode === "random-max-percent" ? rng.int(number + 1) : number;
  return Math.min(count, Math.ceil((count * percent) / 100));
}

function sample<T>(items: readonly T[], count: number, rng: Rng): readonly T[] {
  const pool = [...items];
  return Array.from({ length: count }, () => pool.splice(rng.int(pool.length), 1)).flat();
}

/** The pods that an experiment acts on. Throws in Chaos Mesh's words when there is none. */
export function selectPods(
  { selector = {}, mode = "one", value }: Selection,
  pods: readonly KubeObject[],
  nodes: readonly KubeObject[],
  rng: Rng,
): readonly KubeObject[] {
  const matching = matchingPods(selector, pods, nodes);
  if (matching.length === 0) throw new Error("no pod is selected");
  const count = share(mode, value, matching.length, rng);
  return count >= matching.length ? matching : sample(matching, count, rng);
}

/** Containers to act on: the named ones, or the pod's first. Init containers never match. */
export function selectContainers(pod: KubeObject, names: readonly string[] | undefined): readonly string[] {
  const containers: readonly { readonly name: string }[] = pod.spec?.containers ?? [];
  const all = containers.map((container) => container.name);
  return names?.length ? all.filter((name) => names.includes(name)) : all.slice(0, 1);
}
