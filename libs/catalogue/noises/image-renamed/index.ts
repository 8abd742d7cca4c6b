import {
  defineNoise,
  firstContainer,
  onDeployment,
  otherImageName,
  patchContainer,
  rollableDeployments,
  z,
} from "@microremed/catalogue";

export default defineNoise({
  name: "image-renamed",
  title: "An image under its other name",
  description:
    "A Deployment was rolled out with another name of the same image, such as `docker.io/library/redis:7` for `redis:7`.",
  parameters: z.object({}),
  changes: ["spec.template.spec.containers[].image"],
  ...onDeployment,
  targets: (environment) =>
    rollableDeployments(environment).filter(
      (name) => otherImageName(firstContainer(environment, name)?.image ?? "") !== undefined,
    ),
  async place(context) {
    const image = firstContainer(context.environment, context.target)?.image ?? "";
    await patchContainer(context, { image: otherImageName(image) });
  },
});
