import type { Environment } from "../environment/environment.types.ts";
import { isNamespaced, kubeKind } from "./kube-kinds.ts";
import type { ObjectRef } from "./object-ref.ts";

/** Where answers are read: the system as it is declared, and its namespace. */
export interface Whereabouts {
  readonly environment: Environment;
  readonly namespace: string;
}

type Named = Pick<ObjectRef, "kind" | "name">;

/** Characters that Kubernetes makes names of pods and ReplicaSets of (`k8s.io/apimachinery/pkg/util/rand`). */
const safe = "[bcdfghjklmnpqrstvwxz2456789]";

/** How the names of pods go on after that of their controller. */
const podSuffix: Readonly<Record<string, RegExp>> = {
  Deployment: new RegExp(`^-${safe}{1,10}-${safe}{5}$`),
  StatefulSet: /^-\d+$/,
  DaemonSet: new RegExp(`^-${safe}{5}$`),
  Job: new RegExp(`^-${safe}{5}$`),
  CronJob: new RegExp(`^-\\d+-${safe}{5}$`),
};
const replicaSetSuffix = new RegExp(`^-${safe}{1,10}$`);

/**
 * An object as one text that is the same for everything that counts as it. A pod or ReplicaSet of a workload counts as
 * the workload: of the environment's, or of those in `others`. Names are compared letter by letter, as Kubernetes does.
 */
export function identityOf(
  { kind: given, name: givenName, namespace }: ObjectRef,
  where: Whereabouts,
  others: readonly Named[] = [],
): string {
  const ofKind = kubeKind(given);
  const named = { kind: ofKind, name: withoutKind(givenName.trim(), ofKind) };
  const { kind, name } = ownerOf(named, [...workloadsOf(where.environment), ...others]) ?? named;
  const place = isNamespaced(kind) ? namespace?.trim() || where.namespace : "";
  return `${kind} ${place}/${name}`;
}

/** `deployment/web` is how kubectl prints the name of a Deployment. */
function withoutKind(name: string, kind: string): string {
  const [prefix = "", rest] = name.split("/");
  return rest !== undefined && kubeKind(prefix) === kind ? rest : name;
}

function ownerOf({ kind, name }: Named, workloads: readonly Named[]): Named | undefined {
  const suffixOf = (owner: Named): RegExp | undefined => {
    if (kind === "Pod") return podSuffix[owner.kind];
    return kind === "ReplicaSet" && owner.kind === "Deployment" ? replicaSetSuffix : undefined;
  };
  const owners = workloads.filter(
    (owner) => name.startsWith(owner.name) && suffixOf(owner)?.test(name.slice(owner.name.length)),
  );
  return owners.sort((a, b) => b.name.length - a.name.length)[0];
}

function workloadsOf({ workloads }: Environment): Named[] {
  return Object.entries(workloads).map(([name, { kind }]) => ({ kind, name }));
}
