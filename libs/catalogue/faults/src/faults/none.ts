import { noFailure } from "@microremed/contracts";
import { defineFault, notDrawable } from "../fault.ts";

/** A control: the system is healthy, and whoever repairs it can only break it. */
export const none = defineFault({
  name: noFailure,
  title: "Healthy system",
  description: "none: no failure is known; it may be that nothing is wrong",
  symptom: "ready",
  recovery: ["ready", "serving", "config", "cpu", "memory", "loss", "latency"],
  rightActions: [],
  control: true,
  ineligible: notDrawable,
  inject: async () => {},
  status: async () => ({
    present: false,
    injected: true,
    pods: [],
    expiresAt: null,
    note: "nothing was injected: a control",
  }),
  remove: async () => {},
});
