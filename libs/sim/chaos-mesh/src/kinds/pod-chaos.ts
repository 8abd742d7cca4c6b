import type { KubeObject } from "@microremed/sim-objects";
import type { ChaosDeps, ChaosImpl, ChaosKind, Outcome } from "../model/chaos-kind.types.ts";
import { podsRef } from "../model/refs.ts";
import { podOf, requireContainer, requirePod, targetOf } from "../model/targets.ts";
import type { FieldErrors } from "../schema/field-errors.ts";
import { int, optional, required, struct, text } from "../schema/go-type.ts";
import { commonFields, containerSelectorFields } from "../schema/selector-fields.ts";

/** What a failed pod runs: it does nothing and has no shell. */
export const pauseImage = "gcr.io/google-containers/pause:latest";

export const podChaos: ChaosKind = {
  kind: "PodChaos",
  plural: "podchaos",
  selectorPaths: ["Spec.ContainerSelector.value", "Spec.ContainerSelector.PodSelector.value"],
  spec: struct("v1alpha1.PodChaosSpec", {
    ...containerSelectorFields,
    action: required(text("v1alpha1.PodChaosAction", ["pod-kill", "pod-failure", "container-kill"])),
    gracePeriod: optional(int("int64", 0)),
    ...commonFields,
  }),
  validate,
  selects: (spec) => (spec.action === "container-kill" ? "container" : "pod"),
  oneShot: (spec) => spec.action !== "pod-failure",
  callMs: [150, 850],
  create: createImpl,
};

function validate(spec: KubeObject["spec"], errors: FieldErrors): void {
  if (spec.action === "container-kill" && !spec.containerNames?.length)
    errors.add(
      "Spec.containerNames",
      "[]string(nil)",
      "the name of container is required on container-kill action: invalid value",
    );
}

interface Container {
  readonly name: string;
  readonly image: string;
}

/** Annotation that keeps a container's original image; a key's name part has at most 63 characters. */
function imageAnnotation(chaos: string, container: string, init: boolean): string {
  const long = `chaos-mesh-${chaos}-pod-failure-${container}-${init ? "init" : "normal"}-image`;
  return long.length <= 63 ? long : `${container}-${init ? "init" : "normal"}`;
}

function failPod(pod: KubeObject, chaos: string): KubeObject {
  const annotations: Record<string, string> = { ...pod.metadata.annotations };
  const swap = (init: boolean) => (container: Container) => {
    annotations[imageAnnotation(chaos, container.name, init)] ??= container.image;
    return { ...container, image: pauseImage };
  };
  return withImages(pod, swap(false), swap(true), annotations);
}

function restorePod(pod: KubeObject, chaos: string): KubeObject {
  const annotations: Record<string, string> = { ...pod.metadata.annotations };
  const swap = (init: boolean) => (container: Container) => {
    const key = imageAnnotation(chaos, container.name, init);
    const image = annotations[key];
    delete annotations[key];
    return image === undefined ? container : { ...container, image };
  };
  return withImages(pod, swap(false), swap(true), annotations);
}

function withImages(
  pod: KubeObject,
  main: (container: Container) => Container,
  init: (container: Container) => Container,
  annotations: Record<string, string>,
): KubeObject {
  const { containers = [], initContainers } = pod.spec ?? {};
  const spec = {
    ...pod.spec,
    containers: containers.map(main),
    ...(initContainers && { initContainers: initContainers.map(init) }),
  };
  return { ...pod, spec, metadata: { ...pod.metadata, annotations } };
}

function createImpl({ store, machine, killContainer }: ChaosDeps): ChaosImpl {
  return {
    apply(object, record): Outcome {
      const target = targetOf(record.id);
      const { action, gracePeriod = 0 } = object.spec;
      const pod = requirePod(store, target);
      if (action === "pod-kill")
        store.delete(podsRef, target.namespace, target.pod, { gracePeriodSeconds: gracePeriod });
      else if (action === "container-kill") {
        const { sandbox, container } = requireContainer(machine, target);
        killContainer(sandbox, container, 137);
      } else store.update(podsRef, failPod(pod, object.metadata.name));
      return { phase: "Injected" };
    },
    recover(object, record): Outcome {
      const pod = podOf(store, targetOf(record.id));
      if (pod && object.spec.action === "pod-failure")
        store.update(podsRef, restorePod(pod, object.metadata.name));
      return { phase: "Not Injected" };
    },
  };
}
