import {
  addressVariables,
  between,
  defineNoise,
  type Environment,
  isRolledOut,
  kinds,
  type NoisePlace,
  patchContainer,
  rollableDeployments,
  serviceOfHost,
  targetOf,
  z,
} from "@microremed/catalogue";

const parameters = z.object({
  offset: z.int().min(3).max(999).default(100).describe("from the Service's port to its second one"),
});

const hostAndPort = /^([a-z][a-z0-9-]*):(\d+)$/;

/** A variable with the address of a Service that has one port. Undefined: the program has none. */
function addressOf(environment: Environment, name: string) {
  const place = targetOf(environment, name);
  const found = (place ? addressVariables(place) : []).flatMap(({ name: variable, value }) => {
    const [, host = "", port = ""] = hostAndPort.exec(value) ?? [];
    const service = environment.manifests.find(
      ({ kind, metadata }) => kind === "Service" && metadata.name === host,
    );
    const ports = z.array(Port).safeParse(Reflect.get(service?.spec ?? {}, "ports")).data ?? [];
    const [first, ...others] = ports;
    const isFit = first && others.length === 0 && serviceOfHost(environment, host) === host;
    return isFit ? [{ variable, host, port: Number(port), first }] : [];
  });
  return found[0];
}

const Port = z.looseObject({
  port: z.int(),
  name: z.string().optional(),
  targetPort: z.union([z.int(), z.string()]).optional(),
});

export default defineNoise({
  name: "port-second",
  title: "A client on a Service's second port",
  description:
    "A Service got a second port that leads to the same port of its pods, and a Deployment that calls it was rolled out with that port in its address.",
  parameters,
  changes: ["spec.template.spec.containers[].env[].value", "spec.ports"],
  drawn: { offset: between(3, 99) },
  targets: (environment) =>
    rollableDeployments(environment).filter((name) => addressOf(environment, name) !== undefined),
  decoys: ({ environment, target }: NoisePlace) => [
    { kind: "Deployment", name: target },
    { kind: "Service", name: addressOf(environment, target)?.host ?? target },
  ],
  async place(context) {
    const { cluster, namespace, environment, target, parameters: given } = context;
    const found = addressOf(environment, target);
    if (!found) return;
    const { variable, host, first } = found;
    const port = first.port + given.offset;
    const second = { name: "second", port, targetPort: first.targetPort ?? first.port, protocol: "TCP" };
    const body = { spec: { ports: [{ ...first, name: first.name ?? "first" }, second] } };
    await cluster.patch(kinds.service, namespace, host, { type: "merge", body });
    await patchContainer(context, { env: [{ name: variable, value: `${host}:${port}` }] });
  },
  isSettled: (context) => isRolledOut(context, context.target),
});
