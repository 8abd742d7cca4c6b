import { defineFault, nothingWrong, offeredWorkloads, z } from "@microremed/catalogue";

/** A control: the system is healthy, and a repair can only break it. */
export default defineFault({
  name: "none",
  title: "Healthy system",
  description: "none: no failure is known; it may be that nothing is wrong",
  parameters: z.object({}),
  symptom: "ready",
  recovery: ["ready", "serving", "config", "cpu", "memory", "loss", "latency"],
  rightActions: [],
  control: true,
  // Judged with the limits as they are: a smaller one that suffices is no harm done to a healthy system.
  resourcesMayDiffer: true,
  ...offeredWorkloads(),
  inject: async () => {},
  status: async () => ({
    present: false,
    injected: true,
    pods: [],
    expiresAt: null,
    note: "nothing was injected: a control",
  }),
  remove: async () => {},
  truth: () => nothingWrong,
  repairs: [{ name: "noop", doc: "changes nothing: that is the right answer", commands: () => ["true"] }],
  shortcuts: [],
  notShortcuts: ["noop"],
});
