import {
  defineNoise,
  type Environment,
  manifestOf,
  onDeployment,
  patchTemplate,
  rollableDeployments,
  valueAt,
  z,
} from "@microremed/catalogue";

const parameters = z.object({
  sizeMi: z.int().min(2048).max(16_384).default(4096).describe("what the volume may hold"),
});

const Volumes = z.array(z.looseObject({ name: z.string(), emptyDir: z.looseObject({}).optional() }));

/** Name of the first empty directory of a workload that has no size and is not in memory. */
function openVolume(environment: Environment, name: string): string | undefined {
  const manifest = manifestOf(environment, { kind: "Deployment" }, name);
  const volumes = Volumes.safeParse(valueAt(manifest, "/spec/template/spec/volumes")).data ?? [];
  const isOpen = (one: object | undefined): boolean =>
    one !== undefined && !("sizeLimit" in one) && !("medium" in one);
  return volumes.find(({ emptyDir }) => isOpen(emptyDir))?.name;
}

export default defineNoise({
  name: "volume-bounded",
  title: "A volume with a size",
  description:
    "A Deployment was rolled out whose pods may not write more than some GiB into one of their empty directories. They write far less.",
  parameters,
  changes: ["spec.template.spec.volumes"],
  drawn: { sizeMi: (rng) => 128 * (16 + rng.int(112)) },
  ...onDeployment,
  targets: (environment) =>
    rollableDeployments(environment).filter((name) => openVolume(environment, name) !== undefined),
  async place(context) {
    const name = openVolume(context.environment, context.target);
    if (name === undefined) return;
    const sizeLimit = `${context.parameters.sizeMi}Mi`;
    await patchTemplate(context, { volumes: [{ name, emptyDir: { sizeLimit } }] });
  },
});
