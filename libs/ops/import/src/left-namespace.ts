import type { Manifest } from "@microremed/catalogue/environment";
import { enforcedPodSecurity, podSecurityViolations, type SecuredPod } from "@microremed/kube-rules";

/** Set by the API server itself. */
const byItself = "kubernetes.io/metadata.name";
/** Pods, and reasons against one, that are named. */
const mostNamed = 5;

/**
 * What goes with a Namespace that is left out, since each arena has its own: its labels and annotations, and the pods that the Pod Security level among
 * these would refuse. Empty: nothing.
 */
export function leftOfNamespace({ metadata }: Manifest, manifests: readonly Manifest[]): string {
  const { labels = {}, annotations = {} } = metadata;
  const words = Object.entries({ ...labels, ...annotations })
    .filter(([name]) => name !== byItself && !name.startsWith("kubectl.kubernetes.io/"))
    .map(([name, value]) => `${name}=${value}`);
  if (words.length === 0) return "";
  const shown = words.slice(0, mostNamed).join(", ").slice(0, 300);
  const { level, name } = enforcedPodSecurity(labels);
  const refused = manifests.flatMap((one) => refusedPods(one, level));
  const pods = `; the level ${name} would refuse ${refused.slice(0, mostNamed).join("; ")}`;
  return `each arena has a namespace of its own, without ${shown}${refused.length === 0 ? "" : pods}`;
}

/** Of workloads and Jobs whose pods a level refuses, with its first reason. */
function refusedPods(
  { kind, metadata, spec }: Manifest,
  level: Parameters<typeof podSecurityViolations>[0],
): string[] {
  const pod = kind === "Pod" ? (spec as SecuredPod | undefined) : podOf(spec);
  const [reason] = pod ? reasonsAgainst(level, pod) : [];
  return reason === undefined ? [] : [`the pods of ${kind} ${metadata.name}: ${reason}`];
}

type Templated = {
  readonly template?: { readonly spec?: SecuredPod };
  readonly jobTemplate?: { readonly spec?: Templated };
};

const podOf = (spec: unknown): SecuredPod | undefined => {
  const { template, jobTemplate } = (spec ?? {}) as Templated;
  return template?.spec ?? jobTemplate?.spec?.template?.spec;
};

/** Manifests that are no valid pods are the API server's to refuse. */
function reasonsAgainst(
  level: Parameters<typeof podSecurityViolations>[0],
  pod: SecuredPod,
): readonly string[] {
  try {
    return podSecurityViolations(level, pod);
  } catch {
    return [];
  }
}
