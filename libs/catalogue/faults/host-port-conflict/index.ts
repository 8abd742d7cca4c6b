import {
  anotherDeployment,
  type ContainerSpec,
  defineFault,
  deletePods,
  offeredWorkloads,
  type Remedy,
  restartEverything,
  revertConfiguration,
  setBack,
  setOther,
  targetOf,
  truthOfChange,
  undoRollout,
  type WorkloadChange,
  workloadChange,
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
type Parameters = z.output<typeof parameters>;

const field = { of: "container", field: "ports" } as const;

/** The container's ports, the first of them also one of the node. */
const withHostPort = ({ ports }: ContainerSpec, hostPort: number) =>
  ports.map((port, index) => ({ ...port, protocol: "TCP", ...(index === 0 && { hostPort }) }));

const change: WorkloadChange<Parameters> = {
  edits: ({ parameters: { hostPort } }, { container }) => [
    { ...field, wrong: withHostPort(container, hostPort) },
  ],
  endsOldPods: true,
  pods: "unplaced",
};

/** Only the entry of the address changes: two of one port do not fit on a node either. */
const oneAddress: Remedy = {
  name: "one-address",
  doc: "asks for the port at one address of the node, where it is taken too",
  commands: (context) => {
    const place = targetOf(context.environment, context.target);
    const { hostPort } = parameters.parse(context.parameters ?? {});
    const ports = place ? withHostPort(place.container, hostPort) : [];
    const bound = ports.map((port) => ("hostPort" in port ? { ...port, hostIP: "10.0.0.1" } : port));
    return setOther("", field, bound).commands(context);
  },
};

/** The pods ask for a port of their node that is taken on every node. */
export default defineFault({
  name: "host-port-conflict",
  title: "Port of the node taken",
  description: "host-port-conflict: the service's pods are not placed on any node",
  parameters,
  symptom: "ready",
  recovery: ["ready", "serving"],
  rightActions: [],
  ...offeredWorkloads(({ name, container }) =>
    container.ports.length > 0 ? undefined : `${name} declares no ports`,
  ),
  ...workloadChange<typeof parameters>(change),
  truth: (context) => ({
    ...truthOfChange(change, context),
    mechanism: "unschedulable",
    explanation: `pods of ${context.target} ask for port ${context.parameters.hostPort} of their node, which is taken on every node`,
    systemLevel: "Virtualization",
    faultType: "Misconfiguration",
  }),
  repairs: [undoRollout, setBack([field])],
  shortcuts: [restartEverything, deletePods, oneAddress, anotherDeployment],
  // Both restart it, and new pods are not placed either.
  notShortcuts: ["delete-service", "stop-load"],
  runbook: revertConfiguration,
});
