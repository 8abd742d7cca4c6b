import type { ChaosKind } from "../chaos-kind.types.ts";
import { durationError } from "../go-duration.ts";
import { list, optional, required, struct, text } from "../schema/go-type.ts";
import { commonFields, containerSelectorFields } from "../schema/selector-fields.ts";
import { requireContainer, requirePod, targetOf } from "../targets.ts";

/** Shifts the clock that the main process sees; nothing in the simulated programs reads it, and exec sees true time. */
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
    apply(_object, record) {
      const target = targetOf(record.id);
      requirePod(store, target);
      requireContainer(machine, target);
      return { phase: "Injected" };
    },
    recover: () => ({ phase: "Not Injected" }),
  }),
};
