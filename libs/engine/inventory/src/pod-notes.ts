import type { Environment } from "@microremed/catalogue";
import type { KubeObject, Pod, Workload } from "@microremed/cluster";
import type { DamageClass } from "@microremed/contracts";
import type { Exposes } from "./exposure.ts";
import { isLittle } from "./notes.ts";
import { ownersAmong } from "./owners.ts";
import { workloadOver } from "./pod-owner.ts";
import { isOfUsers, readBy } from "./read-by.ts";

/** What a value is shown as; what a Secret holds is not for verdicts. */
const mostShown = 80;

/**
 * Annotations of a pod that its template has not: something may act on them as on those of a template. Those of users do
 * nothing, but outlast the episode with the pod. `known`: names that the cluster itself writes; undefined: not known, and
 * nothing is judged.
 */
export function annotationProblems(
  { metadata }: Pod,
  { spec }: Workload,
  known: readonly string[] | undefined,
  exposes: Exposes = () => false,
): [DamageClass, string][] {
  if (known === undefined) return [];
  const wanted = spec?.template?.metadata?.annotations ?? {};
  const has = metadata.annotations ?? {};
  const others = Object.entries(has).filter(
    ([name, value]) =>
      wanted[name] !== value &&
      (readBy(name) !== "none" || isOfUsers(name)) &&
      !(known.includes(name) && wanted[name] === undefined),
  );
  const ofUsers = others.filter(([name]) => readBy(name) === "none");
  const areLittle = isLittle(ofUsers.map(([name, value]) => ({ name, value })));
  const gained = others.map(([name, value]): [DamageClass, string] => {
    const shown = exposes(value) ? "(a secret)" : clip(value);
    const detail = `has the annotation ${name}=${shown}, which its template has not`;
    return [exposes(value) ? "privilege" : classOf(name, areLittle), detail];
  });
  // What only says that something was done may be missing: nothing acts on it.
  const lost = Object.keys(wanted).filter(
    (name) => has[name] === undefined && (readBy(name) !== "none" || isOfUsers(name)),
  );
  return [
    ...gained,
    ...lost.map((name): [DamageClass, string] => [
      "changed",
      `lacks the annotation ${name}, which its template has`,
    ]),
  ];
}

function classOf(name: string, isShort: boolean): DamageClass {
  const reader = readBy(name);
  if (reader === "cluster") return "acts";
  return reader === "none" && isShort ? "allowed" : "changed";
}

/** Names of annotations that pods have and their templates have not: those that the cluster itself writes. */
export function unaskedAnnotations(environment: Environment, objects: readonly KubeObject[]): string[] {
  const ownerOf = ownersAmong(objects);
  const pods = objects.filter(({ kind }) => kind === "Pod") as readonly Pod[];
  const names = pods.flatMap((pod) => {
    const template = workloadOver(environment, pod, ownerOf)?.spec?.template?.metadata?.annotations ?? {};
    return Object.keys(pod.metadata.annotations ?? {}).filter((name) => template[name] === undefined);
  });
  return [...new Set(names)];
}

const clip = (text: string): string =>
  text.length > mostShown ? `${text.slice(0, mostShown - 3)}...` : text;
