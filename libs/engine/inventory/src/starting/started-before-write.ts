import type { Environment } from "@microremed/catalogue";
import type { KubeObject, Pod } from "@microremed/cluster";
import type { DamageClass } from "@microremed/contracts";
import { isJsonObject } from "@microremed/core";
import { identityOf, isRootCertificates } from "../inventory.ts";
import { workloadsOver } from "../pod-owner.ts";
import { isPlacedAfter, type PlacedPods } from "./placed-pods.ts";
import { templateOfPod } from "./pod-template.ts";
import { readBySpec } from "./sources.ts";

/** A pod that may have started with another content of a ConfigMap or Secret than the one that is there. */
export interface StaleFinding {
  readonly pod: Pod;
  readonly workload: string;
  /** What it has read: `Secret/name`. */
  readonly source: string;
  readonly class: DamageClass;
  readonly detail: string;
}

/** ConfigMaps and Secrets before the remedies: identity -> resourceVersion. */
export type Versions = Readonly<Record<string, string>>;

/** The cluster's own certificates are compared by themselves: it puts them back, and kubelets give pods what is there. */
const hasData = (object: KubeObject): boolean =>
  (object.kind === "ConfigMap" && !isRootCertificates(object)) || object.kind === "Secret";

/** What to note before the remedies. */
export const versionsOf = (objects: readonly KubeObject[]): Versions =>
  Object.fromEntries(
    objects.filter(hasData).map((object) => [identityOf(object), object.metadata.resourceVersion ?? ""]),
  );

/**
 * Pods of which a container started after the injection and before the last write of data that it reads: the data was
 * changed, read and changed back, however right it is now. A program reads its files when it starts, and nothing says what it
 * has read. A write of other fields, such as an annotation, counts as none, and a pod that was placed after every write has
 * read what is there.
 */
export function staleFindings(
  environment: Environment,
  objects: readonly KubeObject[],
  before: Versions,
  injectedAt: number,
  placed: PlacedPods = {},
): StaleFinding[] {
  const written = new Map(
    objects
      .filter((object) => hasData(object) && isWritten(object, before))
      .map((object) => [identityOf(object), { object, ...dataWrites(object, injectedAt) }]),
  );
  if (written.size === 0) return [];
  const workloadOf = workloadsOver(environment, objects);
  const pods = objects.filter(({ kind }) => kind === "Pod") as readonly Pod[];
  return pods.flatMap((pod): StaleFinding[] => {
    const workload = workloadOf(pod);
    const template = templateOfPod(pod.spec);
    if (workload === undefined || !template || pod.metadata.deletionTimestamp !== undefined) return [];
    const starts = startsOf(pod).filter((at) => at > injectedAt);
    const first = Math.min(...starts);
    return readBySpec(template).flatMap((name): StaleFinding[] => {
      const writes = written.get(name);
      if (!writes || starts.length === 0 || isPlacedAfter(placed, pod, writes.object)) return [];
      const detail = `has started before the last change of ${name}`;
      if (first <= writes.set) return [{ pod, workload, source: name, class: "breaks", detail }];
      return first <= writes.applied ? [{ pod, workload, source: name, class: "changed", detail }] : [];
    });
  });
}

const isWritten = (object: KubeObject, before: Versions): boolean => {
  const version = before[identityOf(object)];
  return version !== undefined && version !== object.metadata.resourceVersion;
};

/** When data was last written, cluster time, ms; an apply on the server's side is noted also if it changes nothing. */
interface DataWrites {
  readonly set: number;
  readonly applied: number;
}

/**
 * Every API server notes who has which fields, and since when, but not what was taken away. Where no note is as new as the
 * object itself, something was added and taken away again, perhaps just now.
 */
function dataWrites({ metadata }: KubeObject, injectedAt: number): DataWrites {
  const { managedFields = [] } = metadata as { readonly managedFields?: unknown };
  const notes = (Array.isArray(managedFields) ? managedFields : []).filter(isNote);
  const latest = (some: readonly Note[]): number => Math.max(...some.map(timeOf));
  const ofData = notes.filter(({ fieldsV1 }) => "f:data" in fieldsV1 || "f:binaryData" in fieldsV1);
  const [applied, set] = [true, false].map((isApply) =>
    latest(ofData.filter(({ operation }) => (operation === "Apply") === isApply)),
  );
  const isExplained = latest(notes) >= injectedAt;
  return {
    set: isExplained ? (set ?? 0) : Number.POSITIVE_INFINITY,
    applied: applied ?? 0,
  };
}

interface Note {
  readonly operation?: unknown;
  readonly time?: unknown;
  readonly fieldsV1: object;
}

const isNote = (note: unknown): note is Note => isJsonObject(note) && isJsonObject(note["fieldsV1"]);

/** The notes have whole seconds, and a container may have started in the same one. */
function timeOf({ time }: Note): number {
  const at = Date.parse(String(time));
  return Number.isFinite(at) ? at + 999 : Number.POSITIVE_INFINITY;
}

/** When its containers started, those that run before its program among them. Cluster time, ms. */
function startsOf({ status }: Pod): number[] {
  const { containerStatuses = [], initContainerStatuses = [] } = (status ?? {}) as {
    readonly containerStatuses?: readonly ContainerStatus[];
    readonly initContainerStatuses?: readonly ContainerStatus[];
  };
  return [...initContainerStatuses, ...containerStatuses].flatMap(({ state }) => {
    const at = Date.parse(state?.running?.startedAt ?? state?.terminated?.startedAt ?? "");
    return Number.isFinite(at) ? [at] : [];
  });
}

interface ContainerStatus {
  readonly state?: {
    readonly running?: { readonly startedAt?: string };
    readonly terminated?: { readonly startedAt?: string };
  };
}
