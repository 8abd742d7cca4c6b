import {
  anotherDeployment,
  type ContainerSpec,
  defineFault,
  deletePods,
  offeredWorkloads,
  parametersOf,
  type Remedy,
  restartEverything,
  restartingShortcuts,
  setOther,
  unplacedEvidence,
  workloadFault,
  z,
} from "@microremed/catalogue";

const parameters = z.object({
  hostPort: z
    .int()
    .min(1)
    .max(65_535)
    .default(9100)
    .describe(
      "port of their node that the pods ask for; something has it on every node. 9100: the node exporter's",
    ),
});

const field = { of: "container", field: "ports" } as const;

/** The container's ports, the first of them also one of the node. */
const withHostPort = ({ ports }: ContainerSpec, hostPort: number) =>
  ports.map((port, index) => ({ ...port, protocol: "TCP", ...(index === 0 && { hostPort }) }));

/** Only the entry of the address changes: two of one port do not fit on a node either. */
const oneAddress: Remedy = {
  ...setOther(
    "asks for the port at one address of the node, where it is taken too",
    field,
    (context, { container }) =>
      withHostPort(container, parametersOf(parameters, context).hostPort).map((port) =>
        "hostPort" in port ? { ...port, hostIP: "10.0.0.1" } : port,
      ),
  ),
  name: "one-address",
};

const asksNode = (ports: unknown): boolean => JSON.stringify(ports ?? []).includes('"hostPort":');

/** The pods ask for a port of their node that is taken on every node. */
export default defineFault({
  name: "host-port-conflict",
  title: "Port of the node taken",
  description: "host-port-conflict: the service's pods are not placed on any node",
  withoutDraw: "one port of the nodes is known to be taken on each of them",
  lookalikes: ["node-port-asked"],
  symptom: "ready",
  recovery: ["ready", "serving"],
  ...offeredWorkloads(({ name, container }) =>
    container.ports.length > 0 ? undefined : `${name} declares no ports`,
  ),
  ...workloadFault({
    parameters,
    edits: [
      {
        ...field,
        wrong: ({ parameters: { hostPort } }, { container }) => withHostPort(container, hostPort),
      },
    ],
    endsOldPods: true,
    pods: "unplaced",
    explanation: (context) =>
      `pods of ${context.target} ask for port ${context.parameters.hostPort} of their node, which is taken on every node`,
    mechanism: "unschedulable",
    systemLevel: "Virtualization",
    faultType: "Misconfiguration",
    evidence: (labels) =>
      unplacedEvidence(
        labels,
        field,
        { reason: "free ports" },
        ({ was, is }) => asksNode(is) && !asksNode(was),
      ),
  }),
  shortcuts: [restartEverything, deletePods, oneAddress, anotherDeployment],
  notShortcuts: restartingShortcuts,
});
