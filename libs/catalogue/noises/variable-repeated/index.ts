import {
  addressVariables,
  defineNoise,
  dialledAddress,
  type Environment,
  kinds,
  onDeployment,
  plainVariables,
  rollableDeployments,
  serviceOfHost,
  targetOf,
  type Variable,
  z,
} from "@microremed/catalogue";

const parameters = z.object({
  ending: z
    .enum(["", ".svc", ".svc.cluster.local"])
    .default(".svc")
    .describe("behind the Service's name and its namespace"),
});

/** A variable with the address of a Service in its shortest form; undefined: the program has none. */
function addressOf(environment: Environment, name: string): Variable | undefined {
  const place = targetOf(environment, name);
  if (!place || plainVariables(place) === undefined) return undefined;
  return addressVariables(place).find(({ value }) => {
    const { host } = dialledAddress(value);
    return serviceOfHost(environment, host) === host;
  });
}

export default defineNoise({
  name: "variable-repeated",
  title: "A variable that is set twice",
  description:
    "A Deployment was rolled out with one of its variables set a second time, to the longer name of the same Service. It leads to the same place.",
  parameters,
  changes: ["spec.template.spec.containers[].env[]"],
  drawn: { ending: (rng) => rng.pick(["", ".svc", ".svc.cluster.local"]) },
  ...onDeployment,
  targets: (environment) =>
    rollableDeployments(environment).filter((name) => addressOf(environment, name) !== undefined),
  async place(context) {
    const { environment, namespace, target, cluster, parameters: given } = context;
    const first = addressOf(environment, target);
    if (!first) return;
    const { host } = dialledAddress(first.value);
    const value = first.value.replace(host, () => `${host}.${namespace}${given.ending}`);
    const live = await cluster.get(kinds.deployment, namespace, target);
    if (JSON.stringify(live?.spec?.template ?? {}).includes(JSON.stringify(value))) return;
    // A merge by name would put the second one in the place of the first.
    const path = "/spec/template/spec/containers/0/env/-";
    const body = [{ op: "add", path, value: { name: first.name, value } }];
    await cluster.patch(kinds.deployment, namespace, target, { type: "json", body });
  },
});
