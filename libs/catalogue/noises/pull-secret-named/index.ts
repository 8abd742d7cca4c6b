import {
  createOnce,
  defineNoise,
  drawnName,
  kinds,
  objectName,
  onDeployment,
  patchTemplate,
  z,
} from "@microremed/catalogue";

const parameters = z.object({
  secret: objectName.default("mirror-pull").describe("name of the Secret, which is made"),
});

/** Credentials of no registry: the images need none. */
const credentials = Buffer.from(JSON.stringify({ auths: {} })).toString("base64");

export default defineNoise({
  name: "pull-secret-named",
  title: "Credentials for pulling images",
  description:
    "A Deployment was rolled out whose pods name a Secret with credentials for registries. It exists, and the images are public.",
  parameters,
  changes: ["spec.template.spec.imagePullSecrets"],
  logs: ["created", "rollout"],
  drawn: { secret: drawnName("pull", "registry", "mirror", "regcred", "images") },
  ...onDeployment,
  async place(context) {
    const { secret: name } = context.parameters;
    await createOnce(context, {
      ...kinds.secret,
      metadata: { name },
      type: "kubernetes.io/dockerconfigjson",
      data: { ".dockerconfigjson": credentials },
    });
    await patchTemplate(context, { imagePullSecrets: [{ name }] });
  },
});
