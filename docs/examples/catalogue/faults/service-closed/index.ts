import {
  affectedObjects,
  defineFault,
  type FaultContext,
  kinds,
  kubectl,
  offeredServices,
  parseTarget,
  type RemedyContext,
  z,
} from "@microremed/catalogue";

const parameters = z.object({
  port: z
    .int()
    .default(9)
    .describe("port of the pods to which the Service leads instead; no program listens there"),
});
type Context = FaultContext & { readonly parameters: z.output<typeof parameters> };

const nameOf = ({ target }: { readonly target: string }): string => parseTarget(target).name;
const portsOf = ({ environment, target }: Pick<FaultContext, "environment" | "target">) =>
  environment.services[nameOf({ target })]?.ports ?? [];

function pointTo(context: Context, targetPort: (port: number | string) => number | string): Promise<unknown> {
  const body = portsOf(context).map(({ targetPort: right }, index) => ({
    op: "replace",
    path: `/spec/ports/${index}/targetPort`,
    value: targetPort(right),
  }));
  const { cluster, namespace } = context;
  return cluster.patch(kinds.service, namespace, nameOf(context), { type: "json", body });
}

async function status(context: Context) {
  const { cluster, namespace, parameters } = context;
  const service = await cluster.get(kinds.service, namespace, nameOf(context));
  const found = JSON.stringify(service?.spec ?? {}).includes(`"targetPort":${parameters.port}`);
  const note = `Service ${nameOf(context)} leads ${found ? "to" : "not to"} port ${parameters.port}`;
  return { present: found, injected: found, pods: [], expiresAt: null, note };
}

const setPort = (context: RemedyContext): string[] =>
  portsOf(context).map(({ targetPort }, index) => {
    const patch = [{ op: "replace", path: `/spec/ports/${index}/targetPort`, value: targetPort }];
    return `${kubectl(context)} patch service ${nameOf(context)} --type=json -p '${JSON.stringify(patch)}'`;
  });

/** A Service leads to a port on which no program listens. */
export default defineFault({
  name: "service-closed",
  title: "Closed Service",
  description: "service-closed: the service cannot be reached by its name",
  parameters,
  symptom: "answers-by-name",
  recovery: ["ready", "serving", "answers-by-name"],
  rightActions: [],
  ...offeredServices(),
  inject: async (context) => void (await pointTo(context, () => context.parameters.port)),
  status,
  remove: async (context) => {
    if ((await status(context)).present) await pointTo(context, (right) => right);
  },
  truth: (context) => ({
    objects: [
      {
        kind: "Service",
        name: nameOf(context),
        field: "spec.ports[0].targetPort",
        wrong: String(context.parameters.port),
        right: String(portsOf(context)[0]?.targetPort),
      },
    ],
    affected: affectedObjects(context),
    mechanism: "wrong-route",
    explanation: "requests to the Service reach a port of its pods on which no program listens",
    systemLevel: "Virtualization",
    faultType: "Misconfiguration",
  }),
  repairs: [{ name: "set-port", doc: "sets the target port to what it was", commands: setPort }],
  shortcuts: [],
  notShortcuts: ["delete-service", "stop-load"],
});
