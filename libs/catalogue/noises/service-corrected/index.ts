import {
  between,
  createOnce,
  declaredWorkloads,
  defineNoise,
  drawnEnding,
  isThere,
  kinds,
  nameEnding,
  serviceOf,
  z,
} from "@microremed/catalogue";

const parameters = z.object({
  suffix: nameEnding
    .default("internal-alias")
    .describe("of the Service's name, behind that of the workload's Service"),
  corrected: z.enum(["port", "policy"]).default("port").describe("what was wrong with it first"),
  off: z.int().min(1).max(99).default(1).describe("how far its first port was from the right one"),
});
type Parameters = z.output<typeof parameters>;

const nameOf = (service: string, { suffix }: Parameters): string => `${service}-${suffix}`;

export default defineNoise({
  name: "service-corrected",
  title: "Another Service of a workload, corrected",
  description:
    "A workload got another Service, in which a port or a policy was wrong at first and was corrected. No program calls it; the workload's own Service is as before.",
  parameters,
  logs: ["created"],
  changes: ["spec.internalTrafficPolicy", "spec.ports[].targetPort"],
  drawn: {
    suffix: drawnEnding("internal", "alias", "svc", "direct", "peer"),
    corrected: (rng) => rng.pick(["port", "policy"]),
    off: between(1, 99),
  },
  targets: (environment) =>
    declaredWorkloads(environment).filter((target) => serviceOf({ environment, target }) !== undefined),
  decoys: ({ environment, target, parameters: given }) => [
    { kind: "Service", name: nameOf(serviceOf({ environment, target })?.name ?? target, given) },
  ],
  async place(context) {
    const { cluster, namespace, parameters: given } = context;
    const service = serviceOf(context);
    const [port] = service?.spec.ports ?? [];
    if (!service || !port) return;
    const name = nameOf(service.name, given);
    const isPort = given.corrected === "port";
    const right = { port: port.port, targetPort: port.targetPort, protocol: "TCP" };
    const near = typeof port.targetPort === "number" ? port.targetPort : port.port;
    const wrong = { ...right, targetPort: near + given.off };
    await createOnce(context, {
      ...kinds.service,
      metadata: { name },
      spec: {
        selector: service.spec.selector,
        ports: [isPort ? wrong : right],
        internalTrafficPolicy: isPort ? "Cluster" : "Local",
      },
    });
    const body = isPort
      ? [{ op: "replace", path: "/spec/ports/0/targetPort", value: right.targetPort }]
      : [{ op: "replace", path: "/spec/internalTrafficPolicy", value: "Cluster" }];
    await cluster.patch(kinds.service, namespace, name, { type: "json", body });
  },
  isSettled: (context) =>
    isThere(context, kinds.service, nameOf(serviceOf(context)?.name ?? context.target, context.parameters)),
});
