import {
  anotherDeployment,
  defineFault,
  deletePods,
  dropProbes,
  offeredWorkloads,
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
  path: z.string().startsWith("/").default("/healthz").describe("what the kubelet asks for"),
  port: z.int().min(1).max(65535).default(8089).describe("where it asks; no program listens there"),
  periodSeconds: z.int().min(1).max(60).default(10),
});
type Parameters = z.output<typeof parameters>;

const field = { of: "container", field: "readinessProbe" } as const;

/** With all that the API server adds. */
const probe = ({ path, port, periodSeconds }: Parameters) => ({
  httpGet: { path, port, scheme: "HTTP" },
  periodSeconds,
  timeoutSeconds: 1,
  successThreshold: 1,
  failureThreshold: 3,
});

const change: WorkloadChange<Parameters> = {
  edits: (context) => [{ ...field, wrong: probe(context.parameters) }],
};

/** The readiness probe asks where nothing answers: new pods run and never get ready. */
export default defineFault({
  name: "readiness-probe-wrong-endpoint",
  title: "Readiness probe at a wrong address",
  description: "readiness-probe-wrong-endpoint: pods of the service do not get ready",
  parameters,
  symptom: "ready",
  recovery: ["ready", "serving"],
  rightActions: [],
  ...offeredWorkloads(),
  ...workloadChange<typeof parameters>(change),
  truth: (context) => ({
    ...truthOfChange(change, context),
    mechanism: "wrong-probe",
    explanation: `the readiness probe of ${context.target} asks for ${context.parameters.path} on port ${context.parameters.port}, on which no program listens, so new pods never get ready`,
    systemLevel: "Virtualization",
    faultType: "Misconfiguration",
  }),
  repairs: [undoRollout, setBack([field])],
  shortcuts: [
    setOther(
      "asks on another port on which no program listens",
      field,
      probe({ path: "/", port: 8090, periodSeconds: 10 }),
    ),
    dropProbes,
    restartEverything,
    deletePods,
    anotherDeployment,
  ],
  // They restart its pods, which does not even hide the symptom.
  notShortcuts: ["delete-service", "stop-load"],
  runbook: revertConfiguration,
});
