import {
  createOnce,
  defineNoise,
  drawnName,
  firstEmptyVolume,
  kinds,
  objectName,
  onDeployment,
  patchTemplate,
  rollableDeployments,
  z,
} from "@microremed/catalogue";

const parameters = z.object({
  claim: objectName.default("shared-logs").describe("name of the claim, which is made"),
});

export default defineNoise({
  name: "claim-mounted",
  title: "A volume of its own for what was in an empty directory",
  description:
    "A Deployment was rolled out whose pods mount a claim where they had an empty directory. The claim was made for them and is bound.",
  parameters,
  changes: ["spec.template.spec.volumes"],
  logs: ["created", "rollout"],
  drawn: { claim: drawnName("data", "logs", "claim", "pvc", "store") },
  ...onDeployment,
  // A claim that is read and written by one node alone is no volume for pods on several.
  targets: (environment) =>
    rollableDeployments(environment).filter(
      (name) =>
        firstEmptyVolume(environment, name) !== undefined && environment.workloads[name]?.replicas === 1,
    ),
  decoys: ({ target, parameters: { claim } }) => [
    { kind: "Deployment", name: target },
    { kind: "PersistentVolumeClaim", name: claim },
  ],
  async place(context) {
    const { claim: claimName } = context.parameters;
    const name = firstEmptyVolume(context.environment, context.target);
    if (name === undefined) return;
    await createOnce(context, {
      ...kinds.persistentVolumeClaim,
      metadata: { name: claimName },
      spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
    });
    await patchTemplate(context, {
      volumes: [{ name, emptyDir: null, persistentVolumeClaim: { claimName } }],
    });
  },
});
