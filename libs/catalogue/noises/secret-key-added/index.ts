import {
  defineNoise,
  drawnPassword,
  drawnVariable,
  type Environment,
  kinds,
  manifestOf,
  z,
} from "@microremed/catalogue";

const parameters = z.object({
  key: z
    .string()
    .regex(/^[A-Z][A-Z0-9_]{0,40}$/)
    .default("REPORT_TOKEN")
    .describe("key that is added, which no program reads"),
  value: z
    .string()
    .regex(/^\w{1,40}$/)
    .default("tX4hmQz8")
    .describe("its value"),
});

/** Names of the Secrets of which a workload takes variables, and mounts none: a folder would get another file. */
function secretsOf(environment: Environment, target: string): string[] {
  const { manifests, workloads } = environment;
  const { kind = "Deployment" } = workloads[target] ?? {};
  const manifest = manifestOf(environment, { kind }, target);
  const text = JSON.stringify(manifest?.spec ?? {});
  return manifests.flatMap(({ kind: is, metadata: { name } }) => {
    const isRead =
      text.includes(`"secretRef":{"name":"${name}"`) || text.includes(`"secretKeyRef":{"name":"${name}"`);
    return is === "Secret" && isRead && !text.includes(`"secretName":"${name}"`) ? [name] : [];
  });
}

export default defineNoise({
  name: "secret-key-added",
  title: "A key more in a Secret",
  description:
    "A Secret of which a workload takes variables has one key more, which no program reads. No pod is restarted.",
  parameters,
  changes: ["data"],
  drawn: { key: drawnVariable, value: drawnPassword },
  targets: (environment) =>
    Object.keys(environment.workloads).filter((name) => secretsOf(environment, name).length > 0),
  decoys: ({ environment, target }) =>
    secretsOf(environment, target)
      .slice(0, 1)
      .map((name) => ({ kind: "Secret", name })),
  async place({ cluster, namespace, environment, target, parameters: { key, value } }) {
    const [name] = secretsOf(environment, target);
    if (name === undefined) return;
    const body = { data: { [key]: Buffer.from(value).toString("base64") } };
    await cluster.patch(kinds.secret, namespace, name, { type: "merge", body });
  },
  async isSettled({ cluster, namespace, environment, target, parameters: { key } }) {
    const secret = await cluster.get(kinds.secret, namespace, secretsOf(environment, target)[0] ?? "");
    return JSON.stringify(secret?.["data"] ?? {}).includes(`"${key}"`);
  },
});
