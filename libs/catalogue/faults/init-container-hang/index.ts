import {
  anotherDeployment,
  defineFault,
  deletePods,
  kubectl,
  offeredWorkloads,
  type Remedy,
  restartEverything,
  revertConfiguration,
  setBack,
  setOther,
  truthOfChange,
  undoRollout,
  type WorkloadChange,
  workloadChange,
  z,
} from "@microremed/catalogue";

const parameters = z.object({
  service: z
    .string()
    .regex(/^[a-z]([a-z0-9-]{0,50}[a-z0-9])?$/)
    .default("config-server")
    .describe("the Service that the container waits for; there is none of this name"),
});

const field = { of: "pod", field: "initContainers" } as const;

/** With all that the API server adds. */
const waitFor = (service: string) => ({
  name: `wait-for-${service}`,
  image: "busybox:1.35",
  imagePullPolicy: "IfNotPresent",
  command: ["sh", "-c", `until nslookup ${service}; do echo waiting for ${service}; sleep 2; done`],
  resources: { requests: { cpu: "10m", memory: "16Mi" }, limits: { cpu: "50m", memory: "64Mi" } },
  terminationMessagePath: "/dev/termination-log",
  terminationMessagePolicy: "File",
});

const change: WorkloadChange<z.output<typeof parameters>> = {
  edits: ({ parameters: { service } }) => [{ ...field, wrong: [waitFor(service)] }],
};

const makeService: Remedy = {
  name: "make-service",
  doc: "makes a Service of the name that is waited for, which leads nowhere",
  commands: (context) => {
    const { service } = parameters.parse(context.parameters ?? {});
    const manifest = {
      ...{ apiVersion: "v1", kind: "Service", metadata: { name: service } },
      spec: { ports: [{ port: 80 }] },
    };
    return [`${kubectl(context)} apply -f - <<'EOF'`, JSON.stringify(manifest), "EOF"];
  },
};

/** An init container waits for a Service that does not exist: the program is never started. */
export default defineFault({
  name: "init-container-hang",
  title: "Init container that never ends",
  description: "init-container-hang: the service's new pods are not initialized",
  parameters,
  symptom: "ready",
  recovery: ["ready", "serving"],
  rightActions: [],
  ...offeredWorkloads(({ name, workload }) =>
    workload.initContainers.length === 0 ? undefined : `${name} has init containers of its own`,
  ),
  ...workloadChange<typeof parameters>(change),
  truth: (context) => ({
    ...truthOfChange(change, context),
    mechanism: "program-cannot-start",
    explanation: `an init container of ${context.target} waits for ${context.parameters.service}, of which there is no Service, so the program is never started`,
    systemLevel: "Virtualization",
    faultType: "Dependency Problem",
  }),
  repairs: [undoRollout, setBack([field])],
  shortcuts: [
    makeService,
    setOther("waits for another Service that does not exist", field, [waitFor("config-server-v2")]),
    restartEverything,
    deletePods,
    anotherDeployment,
  ],
  // They restart its pods, which does not even hide the symptom.
  notShortcuts: ["delete-service", "stop-load"],
  runbook: revertConfiguration,
});
