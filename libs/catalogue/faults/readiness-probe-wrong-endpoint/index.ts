import {
  anotherDeployment,
  asksElsewhere,
  between,
  defineFault,
  deletePods,
  drawnPath,
  dropProbes,
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
  periodSeconds: z.int().min(1).max(60).default(10),
});

const field = { of: "container", field: "readinessProbe" } as const;

const probe = ({ path, port, periodSeconds }: z.output<typeof parameters>) =>
  wholeProbe({ httpGet: { path, port, scheme: "HTTP" } }, { periodSeconds, failureThreshold: 3 });

const otherPort = setOther("asks on another port on which no program listens", field, (context) => {
  const given = parametersOf(parameters, context);
  return probe({ ...given, path: "/", port: (given.port % 65_535) + 1 });
});

/** The readiness probe asks where nothing answers: new pods run and never get ready. */
export default defineFault({
  name: "readiness-probe-wrong-endpoint",
  title: "Readiness probe at a wrong address",
  description: "readiness-probe-wrong-endpoint: pods of the service do not get ready",
  strengths: [{ name: "every 30 s", parameters: { periodSeconds: 30 } }],
  drawn: { path: drawnPath, port: wrongPort, periodSeconds: between(5, 20) },
  withoutLookalike:
    "a program that speaks gRPC or a database's protocol answers no probe over HTTP, and one over HTTP has hardly a second path that needs no other program",
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
      `the readiness probe of ${context.target} asks for ${context.parameters.path} on port ${context.parameters.port}, on which no program listens, so new pods never get ready`,
    mechanism: "wrong-probe",
    systemLevel: "Virtualization",
    faultType: "Misconfiguration",
    evidence: (labels) =>
      templateEvidence(labels, field, (change) => asksElsewhere(change, "readinessProbe")),
  }),
  shortcuts: [otherPort, dropProbes, restartEverything, deletePods, anotherDeployment],
  notShortcuts: restartingShortcuts,
});
