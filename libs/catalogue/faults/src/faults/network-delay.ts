import { kinds } from "@microremed/cluster";
import { chaosObject } from "../chaos-object.ts";
import { defineFault, notDrawable } from "../fault.ts";

/** Every packet that leaves the pod waits a second. */
export const networkDelay = defineFault({
  name: "network-delay",
  title: "Network delay",
  description: "network-delay: the service's network answers late",
  symptom: "latency",
  recovery: ["ready", "serving", "loss", "latency"],
  rightActions: ["remove-cause", "leave-node"],
  ineligible: notDrawable,
  ...chaosObject({
    kind: kinds.networkChaos,
    name: "network-delay",
    spec: () => ({ action: "delay", delay: { latency: "1000ms", correlation: "0" }, direction: "to" }),
  }),
});
