import {
  anotherDeployment,
  defineFault,
  deletePods,
  drawnTag,
  imageEvidence,
  imageField,
  imageTag,
  missingImage,
  otherImage,
  restartEverything,
  restartingShortcuts,
  withTag,
  workloadFault,
  workloadsWhere,
  z,
} from "@microremed/catalogue";

const parameters = z.object({
  tag: imageTag.default("v9.9.9").describe("another tag of the operator's image, which was never pushed"),
});

/** The image of a system's own operator does not exist: what it has made runs on, and nothing is brought about any more. */
export default defineFault({
  name: "operator-image-broken",
  title: "Operator whose image cannot be pulled",
  description: "operator-image-broken: changes of the service do not take effect any more",
  drawn: { tag: drawnTag },
  symptom: "ready",
  recovery: ["ready", "serving", "reconciled"],
  ...workloadsWhere(({ name }, { workloads }) =>
    Object.values(workloads).some(({ operated }) => operated?.by === name)
      ? undefined
      : `${name} is no operator of the system`,
  ),
  ...workloadFault({
    parameters,
    edits: [
      {
        ...imageField,
        wrong: ({ parameters: { tag } }, { container }) => withTag(container.image, tag),
      },
    ],
    explanation: (context) =>
      `the image of the operator ${context.target} cannot be pulled, so that nothing brings about what its custom resources ask for`,
    mechanism: "image-unavailable",
    systemLevel: "Virtualization",
    faultType: "Misconfiguration",
    evidence: (labels) => imageEvidence(labels, { image: "cannot be pulled" }),
  }),
  shortcuts: [
    missingImage("another-missing-image", "asks for another image that does not exist"),
    otherImage,
    restartEverything,
    deletePods,
    anotherDeployment,
  ],
  notShortcuts: restartingShortcuts,
});
