import type { KubeObject, LooseRecord, NewObject, ResourceRef } from "@microremed/sim-objects";

export interface Column {
  readonly name: string;
  readonly type: string;
  readonly format?: string;
  /** Above 0: only with `-o wide`. */
  readonly priority?: number;
}

export type Cell = string | number | null;

/** What `kubectl get` shows of a kind; the server computes it. */
export interface Printer {
  readonly columns: readonly Column[];
  /** `now`: cluster time, ms since the epoch. */
  cells(object: KubeObject, now: number): readonly Cell[];
}

/** A subresource such as `status` or `scale`, and the kind of object that it takes. */
export interface Subresource {
  readonly name: string;
  readonly kind: string;
  readonly verbs: readonly string[];
  /** Group and version of the kind, when they differ from the resource's own. */
  readonly group?: string;
  readonly version?: string;
}

/** One resource in one version, as it is served. */
export interface ResourceType extends ResourceRef {
  readonly version: string;
  readonly singular: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly verbs: readonly string[];
  readonly subresources: readonly Subresource[];
  readonly printer: Printer;
  /** Present when a CustomResourceDefinition of the cluster defines the type. */
  readonly custom?: CustomType;
  /** Present when a chart brings the kind and the code behind it runs in this process. */
  readonly installed?: InstalledType;
  /** Where the objects lie, when another version of the kind is the stored one. */
  readonly stored?: StoredAs;
}

/** The part of a CustomResourceDefinition that serving one of its versions needs. */
export interface CustomType {
  /** openAPIV3Schema. */
  readonly schema: LooseRecord | undefined;
  /** JSONPaths to the numbers behind /scale. */
  readonly scale?: {
    readonly specReplicasPath: string;
    readonly statusReplicasPath: string;
    readonly labelSelectorPath?: string;
  };
  /** Sent with every answer: the version is deprecated. */
  readonly warning?: string;
}

/** A kind that comes and goes with its CustomResourceDefinition, but is decoded by code of its own. */
export interface InstalledType {
  /** The CustomResourceDefinition, as the chart installs it. */
  readonly definition: NewObject;
  /** openAPIV3Schema. */
  readonly schema: LooseRecord;
  /** Paths of fields that the kind does not know, e.g. `spec.foo`, for strict field validation. */
  unknownFields(object: NewObject): readonly string[];
}

export interface StoredAs {
  readonly ref: ResourceRef;
  fromStored(object: KubeObject): KubeObject;
  toStored(object: NewObject): NewObject;
}

/** `apps/v1`, or `v1` for the core group. */
export function apiVersionOf(type: { readonly group: string; readonly version: string }): string {
  return type.group === "" ? type.version : `${type.group}/${type.version}`;
}

/** Whether clients write `status` through the /status subresource only. */
export function hasStatus(type: ResourceType): boolean {
  return type.subresources.some(({ name }) => name === "status");
}

/** The resource whose objects a type reads and writes. */
export function storageOf(type: ResourceType): ResourceRef {
  return type.stored?.ref ?? type;
}
