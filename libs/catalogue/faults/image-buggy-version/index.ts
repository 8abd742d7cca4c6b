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

const { parameters, strengths, edit } = releaseOf("errors");

/** A new version of a service was released that fails some of its requests. Its pods are ready. */
export default defineFault({
  name: "image-buggy-version",
  title: "Version with a defect",
  description: "image-buggy-version: requests to the service fail since its last release",
  strengths,
  withoutDraw: "the versions with the defect are those of the model",
  symptom: "requests",
  recovery: ["ready", "serving", "requests"],
  ...offeredWorkloads(({ name, container }) =>
    faultyVersions(container, "errors").length > 0
      ? undefined
      : `no version of ${name} with a defect is known`,
  ),
  ...workloadFault({
    parameters,
    edits: [edit],
    explanation: (context) =>
      `the version of ${context.target} that was released last fails some of its requests`,
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
