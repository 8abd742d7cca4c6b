import {
  addressVariables,
  defineNoise,
  type Environment,
  onDeployment,
  patchContainer,
  rollableDeployments,
  serviceOfHost,
  targetOf,
  type Variable,
  z,
} from "@microremed/catalogue";

const endings = [".svc", ".svc.cluster.local"] as const;

const parameters = z.object({
  ending: z
    .enum(endings)
    .default(".svc.cluster.local")
    .describe("behind the Service's name and its namespace"),
});

const hostAndPort = /^([a-z][a-z0-9-]*)(:\d+)$/;

/** The variables with the address of a Service in its shortest form, and a port. */
function shortAddresses(environment: Environment, name: string): Variable[] {
  const place = targetOf(environment, name);
  return (place ? addressVariables(place) : []).filter(({ value }) => {
    const [, host] = hostAndPort.exec(value) ?? [];
    return host !== undefined && serviceOfHost(environment, host) === host;
  });
}

export default defineNoise({
  name: "address-in-full",
  title: "An address that is written out",
  description:
    "A Deployment was rolled out with the longer name of a Service that it calls, with its namespace. It means the same Service.",
  parameters,
  changes: ["spec.template.spec.containers[].env[].value"],
  drawn: { ending: (rng) => rng.pick(endings) },
  ...onDeployment,
  targets: (environment) =>
    rollableDeployments(environment).filter((name) => shortAddresses(environment, name).length > 0),
  async place(context) {
    const { environment, namespace, target, parameters: given } = context;
    const [first] = shortAddresses(environment, target);
    if (!first) return;
    const value = first.value.replace(hostAndPort, `$1.${namespace}${given.ending}$2`);
    await patchContainer(context, { env: [{ name: first.name, value }] });
  },
});
