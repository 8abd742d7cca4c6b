import type { CustomResource, Kind } from "@microremed/cluster";
import { isJsonObject } from "@microremed/core";
import { z } from "zod";
import { isNamespaced } from "../objects/kube-kinds.ts";

/** A Kubernetes manifest as its author wrote it, or placed in a namespace and ready to be applied as JSON. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly [field: string]: unknown;
  };
  readonly [field: string]: unknown;
}

/**
 * Distinguishes objects of a namespace from those of the whole cluster. Of custom resources the definitions among the manifests say
 * which they are; without one they are of a namespace.
 */
export function namespacedAmong(manifests: readonly Manifest[]): (one: Pick<Manifest, "kind">) => boolean {
  const others = new Set(
    manifests.flatMap(({ kind, ...rest }) => {
      const spec = rest["spec"];
      if (kind !== "CustomResourceDefinition" || !isJsonObject(spec) || spec["scope"] !== "Cluster")
        return [];
      const { names } = spec;
      return isJsonObject(names) ? [String(names["kind"])] : [];
    }),
  );
  return ({ kind }) => isNamespaced(kind) && !others.has(kind);
}

/** Groups of Kubernetes' own, whose controllers are in every cluster. */
const ownGroups =
  /^(v1$|(apps|batch|autoscaling|policy|extensions|([a-z]+|(rbac\.authorization|[a-z]+\.apiserver))\.k8s\.io)\/)/;

/** Distinguishes kinds of Kubernetes' own, and those that definitions among the manifests make, from others. */
export function knownAmong(manifests: readonly Manifest[]): (one: Manifest) => boolean {
  const defined = new Set(
    manifests.flatMap(({ kind, ...rest }) => {
      const spec = rest["spec"];
      if (kind !== "CustomResourceDefinition" || !isJsonObject(spec)) return [];
      const { group, names } = spec;
      return isJsonObject(names) ? [`${group} ${names["kind"]}`] : [];
    }),
  );
  return ({ apiVersion, kind }) =>
    ownGroups.test(apiVersion) || defined.has(`${apiVersion.split("/")[0]} ${kind}`);
}

const custom = new WeakMap<readonly Manifest[], readonly Kind[]>();

/** Kinds of the namespaced objects among the manifests that are not Kubernetes' own. */
export function customKinds({ manifests }: { readonly manifests: readonly Manifest[] }): readonly Kind[] {
  const known = custom.get(manifests);
  if (known) return known;
  const isPlaced = namespacedAmong(manifests);
  const found = manifests.filter((one) => !ownGroups.test(one.apiVersion) && isPlaced(one));
  const kinds = new Map(found.map(({ apiVersion, kind }) => [`${apiVersion} ${kind}`, { apiVersion, kind }]));
  const made = [...kinds.values()];
  custom.set(manifests, made);
  return made;
}

const Definition = z.object({
  spec: z.object({
    names: z.object({
      kind: z.string(),
      plural: z.string(),
      singular: z.string().optional(),
      shortNames: z.array(z.string()).default([]),
    }),
  }),
});

/** The same kinds with the names of their definitions; without a definition among the manifests, with the usual plural. */
export function customResourcesIn(environment: {
  readonly manifests: readonly Manifest[];
}): CustomResource[] {
  const names = environment.manifests.flatMap((one) => {
    const read = one.kind === "CustomResourceDefinition" ? Definition.safeParse(one).data : undefined;
    return read ? [read.spec.names] : [];
  });
  return customKinds(environment).map(({ apiVersion, kind }) => {
    const {
      plural = `${kind.toLowerCase()}s`,
      singular = kind.toLowerCase(),
      shortNames = [],
    } = names.find((one) => one.kind === kind) ?? {};
    return { apiVersion, kind, plural, names: [singular, ...shortNames] };
  });
}

/** Whether there are kinds that are not Kubernetes' own: their controllers may make objects that others name. */
export const hasOthersKinds = (manifests: readonly Manifest[]): boolean =>
  manifests.some(({ apiVersion }) => !ownGroups.test(apiVersion));
