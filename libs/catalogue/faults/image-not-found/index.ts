import {
  anotherDeployment,
  type CauseLabels,
  type ContainerSpec,
  changeEvidence,
  defineFault,
  deletePods,
  offeredWorkloads,
  otherImage,
  restartEverything,
  revertConfiguration,
  setBack,
  setOther,
  truthOfChange,
  undoRollout,
  type WorkloadChange,
  workloadChange,
  z,
} from "@microremed/catalogue";

const labels: CauseLabels = {
  mechanism: "image-unavailable",
  systemLevel: "Virtualization",
  faultType: "Misconfiguration",
};

const parameters = z.object({
  part: z
    .enum(["tag", "registry"])
    .default("tag")
    .describe("tag: one that was never pushed; registry: a host that there is not"),
  suffix: z.string().default("-hotfix.1").describe("of the tag"),
});
type Parameters = z.output<typeof parameters>;

const field = { of: "container", field: "image" } as const;

function wrongImage({ image }: ContainerSpec, { part, suffix }: Parameters): string {
  const [name = ""] = image.split("@");
  if (part === "registry") return `registry.internal.example/${name.split("/").slice(-1)[0]}`;
  return /:[^/]+$/.test(name) ? `${name}${suffix}` : `${name}:latest${suffix}`;
}

const change: WorkloadChange<Parameters> = {
  edits: (context, { container }) => [{ ...field, wrong: wrongImage(container, context.parameters) }],
};

/** A container's image does not exist, or its registry: new pods wait for it. */
export default defineFault({
  name: "image-not-found",
  title: "Image that cannot be pulled",
  description: "image-not-found: new pods of the service do not start",
  parameters,
  symptom: "ready",
  recovery: ["ready", "serving"],
  rightActions: [],
  ...offeredWorkloads(),
  ...workloadChange<typeof parameters>(change),
  truth: (context) => ({
    ...truthOfChange(change, context),
    ...labels,
    explanation: `the image of ${context.target} cannot be pulled, so its new pods never start`,
  }),
  repairs: [undoRollout, setBack([field])],
  shortcuts: [
    {
      ...setOther("asks for another image that does not exist", field, "registry.internal.example/none:1"),
      name: "another-missing-image",
    },
    otherImage,
    restartEverything,
    deletePods,
    anotherDeployment,
  ],
  // They restart its pods, which does not even hide the symptom.
  notShortcuts: ["delete-service", "stop-load"],
  runbook: revertConfiguration,
  evidence: changeEvidence(labels, (changes) =>
    changes.find(
      ({ field, was, is }) => /\bcontainers\[[^\]]+\]\.image$/.test(field) && was !== null && is !== null,
    ),
  ),
});
