import {
  anotherDeployment,
  defineFault,
  deletePods,
  faultyVersions,
  imageEvidence,
  missingImage,
  offeredWorkloads,
  otherImage,
  releaseOf,
  restartEverything,
  restartingShortcuts,
  workloadFault,
} from "@microremed/catalogue";

const { parameters, strengths, edit } = releaseOf("leak");

/** A new version of a service does not give all its connections back: after a while it has none left for its calls. */
export default defineFault({
  name: "connection-pool-exhausted",
  title: "Exhausted connection pool",
  description: "connection-pool-exhausted: requests to the service fail some time after it starts",
  strengths,
  withoutDraw: "the versions with the defect are those of the model",
  symptom: "requests",
  recovery: ["ready", "serving", "requests"],
  ...offeredWorkloads(({ name, container }) =>
    faultyVersions(container, "leak").length > 0
      ? undefined
      : `no version of ${name} is known that keeps connections`,
  ),
  ...workloadFault({
    parameters,
    edits: [edit],
    explanation: (context) =>
      `the version of ${context.target} that was released last does not give all its connections back, so its pool runs empty and its calls get none in time`,
    // Where the cluster cannot pull the version another fault would be at work.
    pods: "started",
    mechanism: "faulty-code",
    systemLevel: "Application",
    faultType: "Misconfiguration",
    evidence: (labels) => imageEvidence(labels, { image: "runs" }),
  }),
  shortcuts: [
    missingImage("missing-image", "asks for an image that does not exist"),
    otherImage,
    restartEverything,
    deletePods,
    anotherDeployment,
  ],
  notShortcuts: restartingShortcuts,
});
