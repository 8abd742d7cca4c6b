import type { ChaosKind } from "../chaos-kind.types.ts";
import { durationError, parseGoDuration } from "../go-duration.ts";
import { list, optional, required, struct, text } from "../schema/go-type.ts";
import { commonFields, containerSelectorFields } from "../schema/selector-fields.ts";
import { requireContainer, requirePod, targetOf } from "../targets.ts";

/** Shifts the clock that the main process sees: its log lines show it; processes started later see true time. */
export const timeChaos: ChaosKind = {
  kind: "TimeChaos",
  plural: "timechaos",
  selectorPaths: ["Spec.ContainerSelector.value", "Spec.ContainerSelector.PodSelector.value", "Spec.value"],
  spec: struct("v1alpha1.TimeChaosSpec", {
    ...containerSelectorFields,
    timeOffset: required(text()),
    clockIds: optional(list(text()), ["CLOCK_REALTIME"]),
    ...commonFields,
  }),
  validate(spec, errors) {
    const why = durationError(spec.timeOffset);
    if (why)
      errors.add("Spec.TimeOffset", JSON.stringify(spec.timeOffset), `parse timeOffset field error:${why}`);
  },
  selects: () => "container",
  callMs: [150, 850],
  create: ({ store, machine }) => ({
    apply(object, record) {
      const target = targetOf(record.id);
      requirePod(store, target);
      const { container } = requireContainer(machine, target);
      const realTime = (object.spec.clockIds ?? ["CLOCK_REALTIME"]).includes("CLOCK_REALTIME");
      if (realTime)
        container.clockShift = { owner: object.metadata.uid, ms: parseGoDuration(object.spec.timeOffset) };
      return { phase: "Injected" };
    },
    recover(object, record) {
      const { namespace, pod, container: name } = targetOf(record.id);
      const container = machine.byPod(namespace, pod)?.containers.get(name);
      if (container?.clockShift?.owner === object.metadata.uid) delete container.clockShift;
      return { phase: "Not Injected" };
    },
  }),
};
