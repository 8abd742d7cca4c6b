import { isJsonObject } from "@microremed/core";
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

const ownGroups = /^(v1|apps\/|batch\/|autoscaling\/|policy\/|extensions\/|[a-z.]+\.k8s\.io\/)/;

/** Whether there are kinds that are not Kubernetes' own: their controllers may make objects that others name. */
export const hasOthersKinds = (manifests: readonly Manifest[]): boolean =>
  manifests.some(({ apiVersion }) => !ownGroups.test(apiVersion));
