import { kinds } from "@microremed/cluster";
import { chaosObject } from "../chaos-object.ts";
import { defineFault, notDrawable } from "../fault.ts";

/** Half of the packets that leave the pod are lost. */
export const networkLoss = defineFault({
  name: "network-loss",
  title: "Packet loss",
  description: "network-loss: the service loses network packets",
  symptom: "loss",
  recovery: ["ready", "serving", "loss", "latency"],
  rightActions: ["remove-cause", "leave-node"],
  ineligible: notDrawable,
  ...chaosObject({
    kind: kinds.networkChaos,
    name: "network-loss",
    spec: () => ({ action: "loss", loss: { loss: "50", correlation: "0" }, direction: "to" }),
  }),
});
