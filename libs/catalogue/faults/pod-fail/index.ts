import {
  affectedObjects,
  chaosObject,
  chaosRepairs,
  defineFault,
  dropProbes,
  kinds,
  leaveNode,
  offeredWorkloads,
  otherImage,
  removeCause,
  removeCauseRunbook,
  z,
} from "@microremed/catalogue";

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
  ...chaosObject({
    kind: kinds.podChaos,
    name: "pod-fail",
    durationSeconds: 1200,
    spec: () => ({ action: "pod-failure", gracePeriod: 0 }),
  }),
  truth: ({ environment, target }) => ({
    objects: [
      {
        kind: "PodChaos",
        name: "pod-fail",
        field: "spec.action",
        wrong: `pod-failure on one pod of ${target}`,
        right: "no such object",
      },
    ],
    affected: affectedObjects({ environment, target }),
    mechanism: `the images of a pod of ${target} are replaced by one that does nothing, so it serves no requests`,
    systemLevel: "Virtualization",
    faultType: "Operation Error",
  }),
  repairs: chaosRepairs("podchaos"),
  shortcuts: [otherImage, dropProbes],
  runbook: removeCauseRunbook("podchaos"),
});
