import {
  anotherDeployment,
  asksElsewhere,
  between,
  type ContainerSpec,
  defineFault,
  deletePods,
  deploymentWithContainer,
  type Environment,
  isRolledOut,
  type KubeObject,
  offeredWorkloads,
  type Place,
  parseQuantity,
  restartEverything,
  restartingShortcuts,
  type TruthContext,
  targetName,
  targetOf,
  templateEvidence,
  type WorkloadSpec,
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

/** A program that does so much when it starts is slow to start where it gets little CPU, CPU-seconds. */
const leastStartWork = 1;
/** How long the setting makes such a program start, s. */
const slowedStartSeconds = 6;

const startsSlowly = ({ containers: [first] }: WorkloadSpec): boolean =>
  first !== undefined && first.behaviour.listens.length > 0 && startSeconds(first) >= leastStartSeconds;

/** CPU limit of the setting, in a system without a program that starts slowly by itself; undefined: it has one, or this one does too little. */
function slowedLimit({ workload, container }: Place, { workloads }: Environment): string | undefined {
  const { startupCpuSeconds } = container.behaviour;
  if (workload.kind !== "Deployment" || startupCpuSeconds < leastStartWork) return undefined;
  if (Object.values(workloads).some(startsSlowly)) return undefined;
  return `${Math.floor((1000 * startupCpuSeconds) / slowedStartSeconds)}m`;
}

/** The target's Deployment as it is declared, but with so little CPU that its program starts slowly. */
const slowed = (context: TruthContext, cpu: string): KubeObject =>
  deploymentWithContainer(context, ({ resources: { requests, limits } = {} }) => ({
    resources: { requests: { ...requests, cpu }, limits: { ...limits, cpu } },
  }));

/** The question that the readiness probe asks, which is the right one. */
function handlerOf({ behaviour, readinessProbe: own }: ContainerSpec): object {
  if (own?.type === "http") return { httpGet: { path: own.path, port: own.port, scheme: "HTTP" } };
  if (own?.type === "exec") return { exec: { command: own.command } };
  return { tcpSocket: { port: own?.port ?? behaviour.listens[0] } };
}

const Times = z.object({
  initialDelaySeconds: z.number().default(0),
  periodSeconds: z.number().default(10),
  failureThreshold: z.number().default(3),
});
/** A probe that waits less than this for a program gives it hardly any time to start, s. */
const hasty = 5;

/** How long a probe waits before a container is restarted, s. No probe: for ever. */
function secondsAllowed(probe: unknown): number {
  const times = Times.safeParse(probe).data;
  if (!times) return Number.POSITIVE_INFINITY;
  return times.initialDelaySeconds + times.periodSeconds * times.failureThreshold;
}

/** The liveness probe gives a program no time to start: it is killed before it listens, each time. */
export default defineFault({
  name: "liveness-probe-too-aggressive",
  title: "Liveness probe that gives up at once",
  description: "liveness-probe-too-aggressive: the service's new pods are restarted while they start",
  strengths: [{ name: "every 2 s", parameters: { periodSeconds: 2 } }],
  drawn: { periodSeconds: between(1, 3) },
  withoutDraw: "hardly any probe is too hasty for every program",
  lookalikes: ["liveness-sooner"],
  symptom: "ready",
  recovery: ["ready", "serving"],
  ...offeredWorkloads((place, environment) => {
    const { name, container } = place;
    if (container.behaviour.listens.length === 0) return `${name} listens on no port`;
    return startSeconds(container) < leastStartSeconds && slowedLimit(place, environment) === undefined
      ? `${name} starts within ${leastStartSeconds} s, so that a probe may find it ready`
      : undefined;
  }),
  setting: (context) => {
    const place = targetOf(context.environment, context.target);
    const cpu = place && slowedLimit(place, context.environment);
    return cpu === undefined ? [] : [slowed(context, cpu)];
  },
  isSettled: async (context) =>
    targetOf(context.environment, context.target)?.workload.kind !== "Deployment" ||
    isRolledOut(context, targetName(context)),
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
    evidence: (labels) =>
      templateEvidence(
        labels,
        { of: "container", field: "livenessProbe" },
        (change) =>
          !asksElsewhere(change, "livenessProbe") &&
          secondsAllowed(change.is) < Math.min(hasty, secondsAllowed(change.was)),
      ),
  }),
  shortcuts: [restartEverything, deletePods, anotherDeployment],
  notShortcuts: restartingShortcuts,
});
