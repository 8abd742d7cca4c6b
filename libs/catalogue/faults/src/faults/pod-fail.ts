import { kinds } from "@microremed/cluster";
import { chaosObject } from "../chaos-object.ts";
import { defineFault, notDrawable } from "../fault.ts";

/** The pod's images become a pause image: it runs, and nothing in it does. */
export const podFail = defineFault({
  name: "pod-fail",
  title: "Failed pod",
  description: "pod-fail: a pod of the service has failed",
  symptom: "ready",
  recovery: ["ready", "serving"],
  rightActions: ["remove-cause", "leave-node"],
  ineligible: notDrawable,
  ...chaosObject({
    kind: kinds.podChaos,
    name: "pod-fail",
    durationSeconds: 1200,
    spec: () => ({ action: "pod-failure", gracePeriod: 0 }),
  }),
});
