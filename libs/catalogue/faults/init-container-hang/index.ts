import {
  anotherDeployment,
  beforeStuckStarts,
  defineFault,
  deletePods,
  drawnName,
  isInitialising,
  offeredWorkloads,
  parametersOf,
  type Remedy,
  restartEverything,
  restartingShortcuts,
  riskyStrategies,
  riskyStrategyOf,
  setOther,
  stuckStarts,
  templateEvidence,
  waitingContainer,
  withObject,
  workloadFault,
  z,
} from "@microremed/catalogue";

const parameters = z.object({
  service: z
    .string()
    .regex(/^[a-z]([a-z0-9-]{0,50}[a-z0-9])?$/)
    .default("config-server")
    .describe("the Service that the container waits for; no Service has this name"),
});

const field = { of: "pod", field: "initContainers" } as const;

const namesOf = (containers: unknown): string[] =>
  Array.isArray(containers) ? containers.map(({ name }) => String(name)) : [];

const waitFor = (service: string) => waitingContainer(`wait-for-${service}`, service);

const makeService: Remedy = {
  name: "make-service",
  doc: "makes a Service of the name that is waited for, which leads nowhere",
  commands: (context) => {
    const { service } = parametersOf(parameters, context);
    const manifest = {
      ...{ apiVersion: "v1", kind: "Service", metadata: { name: service } },
      spec: { ports: [{ port: 80 }] },
    };
    return withObject(context, "apply", manifest);
  },
};

/** An init container waits for a Service that does not exist: the program is never started. */
export default defineFault({
  name: "init-container-hang",
  title: "Init container that never ends",
  description: "init-container-hang: the service's new pods are not initialized",
  drawn: { service: drawnName("config", "server", "registry", "migrations", "db", "seed") },
  lookalikes: ["wait-for-new"],
  symptom: "ready",
  recovery: ["ready", "serving"],
  ...offeredWorkloads(({ name, workload }) =>
    workload.initContainers.length === 0 ? undefined : `${name} has init containers of its own`,
  ),
  ...workloadFault({
    parameters,
    edits: [{ ...field, wrong: ({ parameters: { service } }) => [waitFor(service)] }],
    explanation: (context) =>
      `an init container of ${context.target} waits for the Service ${context.parameters.service}, which does not exist, so the program is never started`,
    mechanism: "program-cannot-start",
    systemLevel: "Virtualization",
    faultType: "Dependency Problem",
    evidence: (labels) =>
      templateEvidence(
        labels,
        field,
        // Where an update may end all pods at once, that is the cause.
        ({ object: { name }, is, answers: [risky = "", , stuck = ""] }) =>
          namesOf(is).some((container) => isInitialising(stuck, name, container)) &&
          riskyStrategyOf(risky, name) === undefined,
        [riskyStrategies, beforeStuckStarts, stuckStarts],
      ),
  }),
  shortcuts: [
    makeService,
    setOther("waits for another Service that does not exist", field, [waitFor("config-server-v2")]),
    restartEverything,
    deletePods,
    anotherDeployment,
  ],
  notShortcuts: restartingShortcuts,
});
