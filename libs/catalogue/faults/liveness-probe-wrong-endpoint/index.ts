import {
  anotherDeployment,
  defineFault,
  deletePods,
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
  periodSeconds: z.int().min(1).max(60).default(5),
  failureThreshold: z
    .int()
    .min(1)
    .max(10)
    .default(2)
    .describe("failures in a row after which the container is restarted"),
});
type Parameters = z.output<typeof parameters>;

const field = { of: "container", field: "livenessProbe" } as const;

/** With all that the API server adds. */
const probe = ({ path, port, periodSeconds, failureThreshold }: Parameters) => ({
  httpGet: { path, port, scheme: "HTTP" },
  periodSeconds,
  timeoutSeconds: 1,
  successThreshold: 1,
  failureThreshold,
});

const change: WorkloadChange<Parameters> = {
  edits: (context) => [{ ...field, wrong: probe(context.parameters) }],
};

/** The liveness probe asks where nothing answers: a program that works is restarted again and again. */
export default defineFault({
  name: "liveness-probe-wrong-endpoint",
  title: "Liveness probe at a wrong address",
  description: "liveness-probe-wrong-endpoint: the service's pods are restarted again and again",
  parameters,
  symptom: "ready",
  recovery: ["ready", "serving"],
  rightActions: [],
  ...offeredWorkloads(),
  ...workloadChange<typeof parameters>(change),
  truth: (context) => ({
    ...truthOfChange(change, context),
    mechanism: "wrong-probe",
    explanation: `the liveness probe of ${context.target} asks for ${context.parameters.path} on port ${context.parameters.port}, on which no program listens, so the kubelet restarts a program that works`,
    systemLevel: "Virtualization",
    faultType: "Misconfiguration",
  }),
  repairs: [undoRollout, setBack([field])],
  shortcuts: [
    setOther(
      "asks once in a minute, so that the restarts come later",
      field,
      probe({ path: "/healthz", port: 8089, periodSeconds: 60, failureThreshold: 2 }),
    ),
    restartEverything,
    deletePods,
    anotherDeployment,
  ],
  // They restart its pods, which does not even hide the symptom.
  notShortcuts: ["delete-service", "stop-load"],
  runbook: revertConfiguration,
});
