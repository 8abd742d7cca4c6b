import { isJsonObject, likelyNames, nearest, oneOf } from "@microremed/core";
import { hasOthersKinds, type Manifest } from "./manifest.ts";
import { ofManifest } from "./places.ts";

/** Where clusters have kinds, and had other versions once. */
const apiVersions: Readonly<Record<string, readonly string[]>> = {
  ConfigMap: ["v1"],
  CronJob: ["batch/v1"],
  DaemonSet: ["apps/v1"],
  Deployment: ["apps/v1"],
  HorizontalPodAutoscaler: ["autoscaling/v2", "autoscaling/v1"],
  Ingress: ["networking.k8s.io/v1"],
  Job: ["batch/v1"],
  NetworkPolicy: ["networking.k8s.io/v1"],
  PersistentVolumeClaim: ["v1"],
  Pod: ["v1"],
  PodDisruptionBudget: ["policy/v1"],
  ReplicaSet: ["apps/v1"],
  Role: ["rbac.authorization.k8s.io/v1"],
  RoleBinding: ["rbac.authorization.k8s.io/v1"],
  Secret: ["v1"],
  Service: ["v1"],
  ServiceAccount: ["v1"],
  StatefulSet: ["apps/v1"],
};
/** All other kinds of the groups whose kinds are often written wrongly. */
const otherKinds: Readonly<Record<string, readonly string[]>> = {
  "apps/v1": ["ControllerRevision"],
  "batch/v1": [],
  v1: [
    "Binding",
    "ComponentStatus",
    "Endpoints",
    "Event",
    "LimitRange",
    "List",
    "Namespace",
    "Node",
    "PersistentVolume",
    "PodTemplate",
    "ReplicationController",
    "ResourceQuota",
  ],
};
const groupsOfKubernetes = /^(v\d|(apps|batch|autoscaling|extensions|policy)\/|[a-z.]+\.k8s\.io\/)/;

/** Kinds whose names others write: in addresses, variables and volumes. */
const namedByOthers: ReadonlySet<string> = new Set([
  "ConfigMap",
  "CronJob",
  "DaemonSet",
  "Deployment",
  "Job",
  "Secret",
  "Service",
  "StatefulSet",
]);
const objectName = /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/;
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/**
 * What is wrong with manifests before they are read: names that no cluster takes, and what is no text in ConfigMaps and Secrets. A
 * line for each; no value is repeated.
 */
export const unfitManifests = (manifests: readonly Manifest[]): string[] =>
  manifests.flatMap((one) => [
    ...wrongKind(one),
    ...wrongName(one),
    ...wrongData(one),
    ...missingAccount(one, manifests),
  ]);

/** A kind that is written like one of Kubernetes', or one in a version that clusters do not have any more. */
function wrongKind(manifest: Manifest): string[] {
  const { apiVersion, kind } = manifest;
  const right = Object.hasOwn(apiVersions, kind) ? apiVersions[kind] : undefined;
  if (right)
    return right.includes(apiVersion) || !groupsOfKubernetes.test(apiVersion)
      ? []
      : [`${ofManifest(manifest)}: clusters have no ${kind} in ${apiVersion}; write apiVersion: ${right[0]}`];
  const others = otherKinds[apiVersion];
  if (!others || others.includes(kind)) return [];
  const ofGroup = Object.keys(apiVersions).filter((one) => apiVersions[one]?.includes(apiVersion));
  const near = nearest(kind, [...ofGroup, ...others], 1);
  return near.length > 0
    ? [`${ofManifest(manifest)}: ${apiVersion} has no kind ${kind}; did you mean ${oneOf(near)}?`]
    : [];
}

/** An account that its pods need and there is not. With custom resources, controllers make some. */
function missingAccount(manifest: Manifest, all: readonly Manifest[]): string[] {
  const account = accountOf(manifest);
  if (account === undefined || account === "default" || hasOthersKinds(all)) return [];
  const known = all.filter(({ kind }) => kind === "ServiceAccount").map(({ metadata }) => metadata.name);
  return known.includes(account)
    ? []
    : [
        `${ofManifest(manifest)}: there is no ServiceAccount ${account}, which its pods need; add it, or name another: ${likelyNames(account, known)}`,
      ];
}

function accountOf(manifest: Manifest): string | undefined {
  const at = (value: unknown, ...path: readonly string[]): unknown =>
    path.reduce<unknown>((there, key) => (isJsonObject(there) ? there[key] : undefined), value);
  const pod = ["template", "spec", "serviceAccountName"];
  const account = at(manifest, "spec", ...pod) ?? at(manifest, "spec", "jobTemplate", "spec", ...pod);
  return typeof account === "string" && account !== "" ? account : undefined;
}

function wrongName(manifest: Manifest): string[] {
  const { kind, metadata } = manifest;
  if (!namedByOthers.has(kind) || objectName.test(metadata.name)) return [];
  return [
    `${ofManifest(manifest)}: metadata.name: expected small letters, digits, dashes and dots, at most 253, as clusters take names`,
  ];
}

function wrongData(manifest: Manifest): string[] {
  const { kind } = manifest;
  if (kind !== "ConfigMap" && kind !== "Secret") return [];
  return (["data", "stringData"] as const).flatMap((field) => {
    const held = manifest[field];
    if (held === undefined) return [];
    if (!isJsonObject(held)) return [`${ofManifest(manifest)}: ${field}: expected an object of texts`];
    return Object.entries(held).flatMap(([key, value]) => {
      const at = `${ofManifest(manifest)}: ${field}.${key}`;
      if (typeof value !== "string") return [`${at}: expected a text; put it in quotes`];
      const isCoded = kind === "Secret" && field === "data";
      return isCoded && !base64.test(value.replaceAll(/\s/g, ""))
        ? [`${at}: expected a text in base64; put one that is not under stringData`]
        : [];
    });
  });
}
