import type { TruthContext } from "./fault.ts";
import type { GroundTruth } from "./ground-truth.ts";
import { parseTarget, type TargetKind, targetOf } from "./target.ts";

/** Kubernetes' kinds of the targets that are no workloads. */
const kindOf: Readonly<Partial<Record<TargetKind, string>>> = {
  service: "Service",
  configmap: "ConfigMap",
  secret: "Secret",
  claim: "PersistentVolumeClaim",
  node: "Node",
  policy: "NetworkPolicy",
};

/** The incident's target and its workload: the `affected` of most faults. */
export function affectedObjects({ environment, target }: TruthContext): GroundTruth["affected"] {
  const ref = parseTarget(target);
  const kind = kindOf[ref.kind];
  const place = targetOf(environment, target);
  return [
    ...(kind === undefined ? [] : [{ kind, name: ref.name }]),
    ...(place ? [{ kind: place.workload.kind, name: place.name }] : []),
  ];
}
