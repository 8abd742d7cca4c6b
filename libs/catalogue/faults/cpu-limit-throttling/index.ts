import {
  anotherDeployment,
  awaitRollout,
  between,
  containerPath,
  defineFault,
  deletePods,
  dropLimits,
  type Environment,
  jsonPatch,
  neededMillis,
  offeredWorkloads,
  type Place,
  parametersOf,
  parseQuantity,
  type Remedy,
  restartEverything,
  restartingShortcuts,
  setBack,
  setOther,
  targetOf,
  undoRollout,
  workloadFault,
  z,
} from "@microremed/catalogue";
import { loweredLimit } from "./evidence.ts";

const parameters = z.object({
  percent: z
    .int()
    .min(10)
    .max(85)
    .default(70)
    .describe("CPU limit, and request where that was more, in percent of what the load needs"),
});

const field = { of: "container", field: "resources" } as const;

const limitOf = (environment: Environment, place: Place, percent: number): number =>
  Math.floor((neededMillis(environment, place) * percent) / 100);

function throttled(environment: Environment, place: Place, percent: number) {
  const { requests, limits } = place.container.resources;
  const millis = limitOf(environment, place, percent);
  const cpu = `${millis}m`;
  const request = (parseQuantity(requests.cpu) ?? 0) * 1000 > millis ? { cpu } : {};
  const all = { ...requests, ...request };
  // The API server leaves out requests that are none.
  return { ...(Object.keys(all).length > 0 && { requests: all }), limits: { ...limits, cpu } };
}

const usual = parameters.parse({}).percent;
/** Below it `kubectl top` rounds too much to show that a limit is used up, millicores. */
const leastMillis = 20;
/** A program that needs longer to start with such a limit shows that it does not start, s. */
const mostStartSeconds = 20;

function whyUnthrottled(place: Place, environment: Environment): string | undefined {
  const { name, container } = place;
  const millis = limitOf(environment, place, usual);
  if (millis < leastMillis) return `the users' load asks hardly any CPU of ${name}`;
  if ((parseQuantity(container.resources.limits.cpu) ?? 0) * 1000 <= neededMillis(environment, place))
    return `${name} has no CPU limit that its load fits into`;
  return container.behaviour.startupCpuSeconds > (mostStartSeconds * millis) / 1000
    ? `${name} would need too long to start with so little CPU`
    : undefined;
}

const raiseLimit: Remedy = {
  name: "raise-limit",
  doc: "requests what was declared, and allows twice as much",
  commands: (context) => {
    const declared = targetOf(context.environment, context.target)?.container.resources;
    const cpu = `${2000 * (parseQuantity(declared?.limits.cpu) ?? 1)}m`;
    const value = { requests: declared?.requests, limits: { ...declared?.limits, cpu } };
    return [
      jsonPatch(context, [{ op: "add", path: `${containerPath(context)}/resources`, value }]),
      awaitRollout(context),
    ];
  },
};

const raiseTooLittle = setOther(
  "allows a tenth more CPU, which is still too little",
  field,
  (context, place) => throttled(context.environment, place, 1.1 * parametersOf(parameters, context).percent),
);

/** The CPU limit leaves less than the users' load needs: the kernel throttles the program in every period. */
export default defineFault({
  name: "cpu-limit-throttling",
  title: "CPU limit below the load",
  description: "cpu-limit-throttling: requests to the service are slow or fail",
  strengths: [{ name: "half of it", parameters: { percent: 50 } }],
  drawn: { percent: between(50, 80) },
  symptom: "requests",
  recovery: ["ready", "serving", "requests", "config", "cpu", "memory"],
  resourcesMayDiffer: true,
  ...offeredWorkloads(whyUnthrottled),
  ...workloadFault({
    parameters,
    edits: [
      {
        ...field,
        wrong: ({ environment, parameters: { percent } }, place) => throttled(environment, place, percent),
        cause: ({ environment, parameters: { percent } }, place) => ({
          path: ".limits.cpu",
          wrong: `${limitOf(environment, place, percent)}m`,
          right: place.container.resources.limits.cpu ?? "none",
        }),
      },
    ],
    pods: "started",
    explanation: (context) =>
      `the CPU limit of ${context.target} is ${context.parameters.percent} % of what its requests need, so the kernel throttles it in every period and requests wait`,
    mechanism: "resources-too-small",
    systemLevel: "Virtualization",
    faultType: "Misconfiguration",
    evidence: loweredLimit,
  }),
  repairs: [undoRollout, setBack([field]), raiseLimit],
  shortcuts: [restartEverything, deletePods, raiseTooLittle, dropLimits, anotherDeployment],
  notShortcuts: restartingShortcuts,
});
