import {
  anotherDeployment,
  type ContainerSpec,
  defineFault,
  deletePods,
  drawnTag,
  imageEvidence,
  imageField,
  imageTag,
  missingImage,
  offeredWorkloads,
  otherImage,
  restartEverything,
  restartingShortcuts,
  withTag,
  workloadFault,
  z,
} from "@microremed/catalogue";

const parameters = z.object({
  part: z
    .enum(["tag", "registry"])
    .default("tag")
    .describe("tag: one that was never pushed; registry: a host that does not exist"),
  suffix: z.string().default("-hotfix.1").describe("of the tag"),
  tag: imageTag.optional().describe("another tag; default: the image's own with the suffix"),
});
type Parameters = z.output<typeof parameters>;

function wrongImage({ image }: ContainerSpec, { part, suffix, tag }: Parameters): string {
  const [name = ""] = image.split("@");
  if (part === "registry") return `registry.internal.example/${name.split("/").slice(-1)[0]}`;
  if (tag !== undefined) return withTag(image, tag);
  return /:[^/]+$/.test(name) ? `${name}${suffix}` : `${name}:latest${suffix}`;
}

/** A container's image does not exist, or its registry: new pods wait for it. */
export default defineFault({
  name: "image-not-found",
  title: "Image that cannot be pulled",
  description: "image-not-found: new pods of the service do not start",
  strengths: [{ name: "registry", parameters: { part: "registry" } }],
  drawn: { tag: drawnTag },
  lookalikes: ["image-renamed"],
  symptom: "ready",
  recovery: ["ready", "serving"],
  ...offeredWorkloads(),
  ...workloadFault({
    parameters,
    edits: [{ ...imageField, wrong: ({ parameters }, { container }) => wrongImage(container, parameters) }],
    explanation: (context) => `the image of ${context.target} cannot be pulled, so its new pods never start`,
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
