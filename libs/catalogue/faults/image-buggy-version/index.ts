import {
  anotherDeployment,
  defineFault,
  deletePods,
  faultyVersion,
  faultyVersions,
  imageEvidence,
  imageField,
  missingImage,
  offeredWorkloads,
  otherImage,
  restartEverything,
  restartingShortcuts,
  targetOf,
  workloadFault,
  z,
} from "@microremed/catalogue";

const parameters = z.object({
  release: z.int().min(0).max(9).default(0).describe("which of the versions that the model has, from 0"),
});

/** A new version of a service was released that fails some of its requests. Its pods are ready. */
export default defineFault({
  name: "image-buggy-version",
  title: "Version with a defect",
  description: "image-buggy-version: requests to the service fail since its last release",
  strengths: [
    {
      name: "second release",
      parameters: { release: 1 },
      applies: ({ environment, target }) => {
        const place = targetOf(environment, target);
        return place !== undefined && faultyVersions(place.container, "errors").length > 1;
      },
    },
  ],
  symptom: "requests",
  recovery: ["ready", "serving", "requests"],
  ...offeredWorkloads(({ name, container }) =>
    faultyVersions(container, "errors").length > 0
      ? undefined
      : `no version of ${name} with a defect is known`,
  ),
  ...workloadFault({
    parameters,
    edits: [
      {
        ...imageField,
        wrong: ({ parameters: { release } }, { container }) => faultyVersion(container, "errors", release),
      },
    ],
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
