import { type CustomResource, type Kind, kinds } from "@microremed/cluster";
import { KubectlFailure } from "./failures.ts";

const extra: readonly Kind[] = [
  { apiVersion: "v1", kind: "Node" },
  { apiVersion: "v1", kind: "ResourceQuota" },
  { apiVersion: "v1", kind: "LimitRange" },
  { apiVersion: "v1", kind: "PersistentVolume" },
  { apiVersion: "discovery.k8s.io/v1", kind: "EndpointSlice" },
];
const shortNames: Readonly<Record<string, string>> = {
  po: "pod",
  deploy: "deployment",
  sts: "statefulset",
  ds: "daemonset",
  rs: "replicaset",
  rc: "replicationcontroller",
  svc: "service",
  ep: "endpoints",
  cm: "configmap",
  ns: "namespace",
  no: "node",
  ev: "event",
  hpa: "horizontalpodautoscaler",
  pvc: "persistentvolumeclaim",
  pv: "persistentvolume",
  pdb: "poddisruptionbudget",
  netpol: "networkpolicy",
  ing: "ingress",
  sa: "serviceaccount",
  cj: "cronjob",
  quota: "resourcequota",
  limits: "limitrange",
};
/** `all` of kubectl. */
const category = ["pod", "service", "daemonset", "deployment", "replicaset", "statefulset", "job", "cronjob"];

const known = [...Object.values(kinds), ...extra];
const byName = new Map(
  known.flatMap((kind) => [...namesOf(kind)].map((name): [string, Kind] => [name, kind])),
);

/** Singular and plural, each also with the group. */
function* namesOf({ apiVersion, kind }: Kind): Generator<string> {
  const group = apiVersion.includes("/") ? `.${apiVersion.split("/")[0]}` : "";
  const singular = kind.toLowerCase();
  const plural = singular.endsWith("y")
    ? `${singular.slice(0, -1)}ies`
    : `${singular}${/s$/.test(singular) ? "es" : "s"}`;
  for (const name of [singular, plural]) {
    yield name;
    if (group !== "") yield `${name}${group}`;
  }
}

/** The kinds that a word such as `deploy,sts` names. */
export function kindsNamed(word: string, custom: readonly CustomResource[]): readonly Kind[] {
  return word.split(",").flatMap((part) => {
    if (part.toLowerCase() === "all") return category.flatMap((name) => byName.get(name) ?? []);
    return kindNamed(part, custom);
  });
}

export function kindNamed(word: string, custom: readonly CustomResource[]): Kind {
  const lower = word.toLowerCase();
  const kind = ownKind(lower) ?? custom.find((one) => isNamed(one, lower));
  if (!kind)
    throw new KubectlFailure(`error: the server doesn't have a resource type ${JSON.stringify(word)}`);
  return kind;
}

const ownKind = (lower: string): Kind | undefined => byName.get(shortNames[lower] ?? lower);

/** Whether a word of a call is no kind of Kubernetes' own, so that it may be another one. */
export const mayBeCustom = (word: string): boolean =>
  (word.split("/")[0] ?? "")
    .toLowerCase()
    .split(",")
    .some((part) => part !== "all" && ownKind(part) === undefined);

function isNamed({ apiVersion, plural, names }: CustomResource, lower: string): boolean {
  const [group] = apiVersion.split("/");
  return [plural, ...names].some((name) => lower === name || lower === `${name}.${group}`);
}

/** `deployment.apps/cart`, as `-o name` prints it. */
export function resourceName({ apiVersion, kind }: Kind, name: string): string {
  const group = apiVersion.includes("/") ? `.${apiVersion.split("/")[0]}` : "";
  return `${kind.toLowerCase()}${group}/${name}`;
}
