import {
  anotherDeployment,
  asksElsewhere,
  between,
  defineFault,
  deletePods,
  drawnPath,
  offeredWorkloads,
  parametersOf,
  restartEverything,
  restartingShortcuts,
  setOther,
  templateEvidence,
  wholeProbe,
  workloadFault,
  wrongPort,
  z,
} from "@microremed/catalogue";

/** A port on which hardly any program listens. */
const silentPort = 8089;

const parameters = z.object({
  path: z.string().startsWith("/").default("/healthz").describe("what the kubelet asks for"),
  port: z.int().min(1).max(65535).default(silentPort).describe("where it asks; no program listens there"),
  periodSeconds: z.int().min(1).max(60).default(5),
  failureThreshold: z
    .int()
    .min(1)
    .max(10)
    .default(2)
    .describe("failures in a row after which the container is restarted"),
});

const field = { of: "container", field: "livenessProbe" } as const;

const probe = ({ path, port, ...times }: z.output<typeof parameters>) =>
  wholeProbe({ httpGet: { path, port, scheme: "HTTP" } }, times);

const onceAMinute = setOther("asks once in a minute, so that the restarts come later", field, (context) =>
  probe({ ...parametersOf(parameters, context), periodSeconds: 60 }),
);

/** The liveness probe asks where nothing answers: a program that works is restarted again and again. */
export default defineFault({
  name: "liveness-probe-wrong-endpoint",
  title: "Liveness probe at a wrong address",
  description: "liveness-probe-wrong-endpoint: the service's pods are restarted again and again",
  strengths: [
    { name: "every 20 s", parameters: { periodSeconds: 20 } },
    { name: "every second", parameters: { periodSeconds: 1 } },
  ],
  drawn: { path: drawnPath, port: wrongPort, periodSeconds: between(3, 9) },
  lookalikes: ["liveness-added"],
  symptom: "ready",
  recovery: ["ready", "serving"],
  ...offeredWorkloads(({ name, workload }) =>
    workload.containers.some(({ behaviour }) => behaviour.listens.includes(silentPort))
      ? `${name} listens on port ${silentPort}, where the probe asks`
      : undefined,
  ),
  ...workloadFault({
    parameters,
    edits: [{ ...field, wrong: ({ parameters }) => probe(parameters) }],
    explanation: (context) =>
      `the liveness probe of ${context.target} asks for ${context.parameters.path} on port ${context.parameters.port}, on which no program listens, so the kubelet restarts a program that works`,
    mechanism: "wrong-probe",
    systemLevel: "Virtualization",
    faultType: "Misconfiguration",
    evidence: (labels) => templateEvidence(labels, field, (change) => asksElsewhere(change, "livenessProbe")),
  }),
  shortcuts: [onceAMinute, restartEverything, deletePods, anotherDeployment],
  notShortcuts: restartingShortcuts,
});
