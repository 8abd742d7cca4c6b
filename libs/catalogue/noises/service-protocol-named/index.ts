import { declaredWorkloads, defineNoise, kinds, serviceOf, z } from "@microremed/catalogue";

const parameters = z.object({
  appProtocol: z
    .string()
    .regex(/^[a-z][a-z0-9./-]{0,40}$/)
    .default("http")
    .describe("what the Service says of its first port"),
});

export default defineNoise({
  name: "service-protocol-named",
  title: "A Service that names its protocol",
  description:
    "A Service says which protocol its first port speaks. Nothing in the system reads that, and the Service leads where it led.",
  parameters,
  changes: ["spec.ports[].appProtocol"],
  drawn: {
    appProtocol: (rng) =>
      rng.pick(["kubernetes.io/h2c", "kubernetes.io/ws", "tcp", "https", "grpc", "http", "http2"]),
  },
  targets: (environment) =>
    declaredWorkloads(environment).filter((target) => serviceOf({ environment, target }) !== undefined),
  decoys: (place) => {
    const service = serviceOf(place);
    return service ? [{ kind: "Service", name: service.name }] : [];
  },
  async place(context) {
    const {
      cluster,
      namespace,
      parameters: { appProtocol },
    } = context;
    const body = [{ op: "add", path: "/spec/ports/0/appProtocol", value: appProtocol }];
    await cluster.patch(kinds.service, namespace, serviceOf(context)?.name ?? "", { type: "json", body });
  },
  async isSettled(context) {
    const name = serviceOf(context)?.name ?? "";
    const service = await context.cluster.get(kinds.service, context.namespace, name);
    return JSON.stringify(service?.spec).includes('"appProtocol"');
  },
});
