import {
  createOnce,
  defineNoise,
  drawnName,
  kinds,
  objectName,
  onDeployment,
  patchTemplate,
  rollableDeployments,
  z,
} from "@microremed/catalogue";

const parameters = z.object({
  account: objectName.default("web-runtime").describe("name of the service account, which is made"),
});

export default defineNoise({
  name: "own-service-account",
  title: "A service account of its own",
  description:
    "A Deployment was rolled out whose pods have a service account of their own, which was made for them. They ask nothing of the API server.",
  parameters,
  changes: ["spec.template.spec.serviceAccountName", "spec.template.spec.serviceAccount"],
  drawn: { account: drawnName("runtime", "sa", "runner", "account", "app") },
  ...onDeployment,
  targets: (environment) =>
    rollableDeployments(environment).filter((name) => environment.workloads[name]?.permissions.length === 0),
  async place(context) {
    const { account: serviceAccountName } = context.parameters;
    await createOnce(context, { ...kinds.serviceAccount, metadata: { name: serviceAccountName } });
    await patchTemplate(context, { serviceAccountName, serviceAccount: serviceAccountName });
  },
});
