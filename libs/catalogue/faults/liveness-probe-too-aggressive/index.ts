import {
  anotherDeployment,
  type ContainerSpec,
  defineFault,
  deletePods,
  offeredWorkloads,
  parseQuantity,
  restartEverything,
  restartingShortcuts,
  wholeProbe,
  workloadFault,
  z,
} from "@microremed/catalogue";

const parameters = z.object({
  periodSeconds: z.int().min(1).max(10).default(1),
  failureThreshold: z.int().min(1).max(3).default(1),
});

/** Seconds that the program needs before it listens, at the CPU that its limit gives it. */
function startSeconds({ behaviour, resources }: ContainerSpec): number {
  const cores = Math.min(1, parseQuantity(resources.limits.cpu) ?? 1);
  return behaviour.startupCpuSeconds / cores;
}

/** So much longer than the probe waits that a program is caught starting, whenever the first probe comes. */
const leastStartSeconds = 4;

/** The question that the readiness probe asks, which is the right one. */
function handlerOf({ behaviour, readinessProbe: own }: ContainerSpec): object {
  if (own?.type === "http") return { httpGet: { path: own.path, port: own.port, scheme: "HTTP" } };
  if (own?.type === "exec") return { exec: { command: own.command } };
  return { tcpSocket: { port: own?.port ?? behaviour.listens[0] } };
}

/** The liveness probe gives a program no time to start: it is killed before it listens, each time. */
export default defineFault({
  name: "liveness-probe-too-aggressive",
  title: "Liveness probe that gives up at once",
  description: "liveness-probe-too-aggressive: the service's new pods are restarted while they start",
  symptom: "ready",
  recovery: ["ready", "serving"],
  ...offeredWorkloads(({ name, container }) => {
    if (container.behaviour.listens.length === 0) return `${name} listens on no port`;
    return startSeconds(container) < leastStartSeconds
      ? `${name} starts within ${leastStartSeconds} s, so that a probe may find it ready`
      : undefined;
  }),
  ...workloadFault({
    parameters,
    edits: [
      {
        of: "container",
        field: "livenessProbe",
        wrong: ({ parameters }, { container }) => wholeProbe(handlerOf(container), parameters),
      },
    ],
    explanation: (context) =>
      `the liveness probe of ${context.target} gives up while the program still starts, so it is killed again and again`,
    mechanism: "wrong-probe",
    systemLevel: "Virtualization",
    faultType: "Misconfiguration",
  }),
  shortcuts: [restartEverything, deletePods, anotherDeployment],
  notShortcuts: restartingShortcuts,
});
