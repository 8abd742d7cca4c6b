import type { ContainerRuntime, Machine, PodSandbox } from "@microremed/sim-machine";
import type { KubeObject } from "@microremed/sim-objects";
import type { Store } from "@microremed/sim-store";
import { podsRef } from "./refs.ts";

export interface RecordTarget {
  readonly namespace: string;
  readonly pod: string;
  /** Empty for pod records. */
  readonly container: string;
}

/** A record's id taken apart. */
export function targetOf(id: string): RecordTarget {
  const [namespace = "", pod = "", container = ""] = id.split("/");
  return { namespace, pod, container };
}

/** The record's pod, or undefined when it is gone. */
export function podOf(store: Store, { namespace, pod }: RecordTarget): KubeObject | undefined {
  return store.get(podsRef, namespace, pod);
}

/** The record's pod; throws as the cached client does when it is gone. */
export function requirePod(store: Store, target: RecordTarget): KubeObject {
  const pod = podOf(store, target);
  if (!pod) throw new Error(`Pod "${target.pod}" not found`);
  return pod;
}

/** The running container of a record; throws as the daemon does when it does not run. */
export function requireContainer(
  machine: Machine,
  target: RecordTarget,
): { readonly sandbox: PodSandbox; readonly container: ContainerRuntime } {
  const sandbox = machine.byPod(target.namespace, target.pod);
  const container = sandbox?.containers.get(target.container);
  if (!sandbox || !container)
    throw new Error(
      `container with id ${target.namespace}/${target.pod}/${target.container} not found: container not found`,
    );
  return { sandbox, container };
}
