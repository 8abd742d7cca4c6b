import {
  chaosFault,
  defineFault,
  dropProbes,
  kinds,
  leaveNode,
  offeredWorkloads,
  otherImage,
  removeCause,
  z,
} from "@microremed/catalogue";
import { foreignImages } from "./evidence.ts";

const parameters = z.object({});

/** The pod's images become a pause image: it runs, and nothing in it does. */
export default defineFault({
  name: "pod-fail",
  title: "Failed pod",
  description: "pod-fail: a pod of the service has failed",
  parameters,
  symptom: "ready",
  recovery: ["ready", "serving"],
  rightActions: [removeCause, leaveNode],
  published: { check: "pods", timeoutSeconds: 300, readyFirst: false },
  ...offeredWorkloads(),
  ...chaosFault<z.output<typeof parameters>>({
    kind: kinds.podChaos,
    name: "pod-fail",
    durationSeconds: 1200,
    spec: () => ({ action: "pod-failure", gracePeriod: 0 }),
    wrong: ({ target }) => ({
      field: "spec.action",
      value: `pod-failure on one pod of ${target}`,
      explanation: `the images of a pod of ${target} are replaced by one that does nothing, so it serves no requests`,
    }),
    mechanism: "pods-stopped",
    systemLevel: "Virtualization",
    faultType: "Operation Error",
    evidence: foreignImages,
  }),
  shortcuts: [otherImage, dropProbes],
});
