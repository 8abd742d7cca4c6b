import {
  anotherDeployment,
  type ContainerSpec,
  defineFault,
  deletePods,
  imageEvidence,
  imageField,
  missingImage,
  offeredWorkloads,
  otherImage,
  restartEverything,
  restartingShortcuts,
  workloadFault,
  z,
} from "@microremed/catalogue";

/** The first version that the model has of a program whose program ends when it starts. */
const brokenVersion = ({ behaviour }: ContainerSpec): string | undefined =>
  Object.entries(behaviour.versions ?? {}).find(([, { exits }]) => exits !== undefined)?.[0];

/** A new version of a service was released whose program ends as soon as it starts. */
export default defineFault({
  name: "image-broken",
  title: "Version that does not start",
  description: "image-broken: new pods of the service end as soon as they start",
  withoutDraw: "the versions with the defect are those of the model",
  symptom: "ready",
  recovery: ["ready", "serving"],
  canRepeat: true,
  ...offeredWorkloads(({ name, container }) =>
    brokenVersion(container) === undefined ? `no version of ${name} that does not start is known` : undefined,
  ),
  ...workloadFault({
    parameters: z.object({}),
    edits: [{ ...imageField, wrong: (_, { container }) => brokenVersion(container) ?? "" }],
    endsOldPods: true,
    explanation: (context) =>
      `the version of ${context.target} that was released last ends as soon as it starts`,
    mechanism: "faulty-code",
    systemLevel: "Application",
    faultType: "Misconfiguration",
    evidence: (labels) => imageEvidence(labels, { image: "ends" }),
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
