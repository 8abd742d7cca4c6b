import type { KubeObject } from "@microremed/sim-objects";
import type { Store } from "@microremed/sim-store";
import type { Outcome, Phase } from "../model/chaos-kind.types.ts";
import { chaosRef } from "../model/refs.ts";
import type { RecordTarget } from "../model/targets.ts";

/** The internal object that carries a pod's faults (PodNetworkChaos, PodIOChaos, PodHttpChaos): same name as the pod. */
export interface ChildKind {
  readonly kind: "PodNetworkChaos" | "PodIOChaos" | "PodHttpChaos";
  readonly plural: "podnetworkchaos" | "podiochaos" | "podhttpchaos";
}

/** Writes the pod's child object, making it when it is missing. Returns its generation. */
export function commitChild(
  store: Store,
  { kind, plural }: ChildKind,
  pod: KubeObject,
  change: (spec: KubeObject["spec"]) => unknown,
): number {
  const { namespace, name, uid } = pod.metadata;
  const ref = chaosRef(plural);
  const known = store.get(ref, namespace, name);
  const written = known
    ? store.update(ref, { ...known, spec: change(known.spec ?? {}) })
    : store.create(ref, {
        apiVersion: "chaos-mesh.org/v1alpha1",
        kind,
        metadata: {
          name,
          ...(namespace && { namespace }),
          ownerReferences: [
            { apiVersion: "v1", kind: "Pod", name, uid, controller: true, blockOwnerDeletion: true },
          ],
        },
        spec: change({}),
        status: {},
      });
  return written.metadata.generation ?? 1;
}

/** Whether the daemon has taken over the generation that a record waits for. */
export function awaitChild(
  store: Store,
  { plural }: ChildKind,
  target: RecordTarget,
  generation: number,
  done: Phase,
  waiting: Phase,
): Outcome {
  const child = store.get(chaosRef(plural), target.namespace, target.pod);
  if (!child) return { phase: "Not Injected", instance: null };
  const failure = child.status?.failedMessage;
  if (failure) throw new Error(failure);
  const observed = Number(child.status?.observedGeneration ?? 0);
  if (observed < generation) return { phase: waiting };
  return done === "Not Injected" ? { phase: done, instance: null } : { phase: done };
}
