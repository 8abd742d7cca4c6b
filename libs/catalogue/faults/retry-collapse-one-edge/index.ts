import {
  between,
  declaredValue,
  defineFault,
  deletePods,
  deploymentWithContainer,
  dropLoad,
  isRolledOut,
  offeredWorkloads,
  orderLoad,
  type Place,
  restartEverything,
  setOther,
  type TruthContext,
  type targetName,
  targetOf,
  templateEvidence,
  workloadFault,
  z,
} from "@microremed/catalogue";
import { type Edge, edgeOf, fewestAttempts } from "./edge.ts";
import { addedAttempts } from "./evidence.ts";

const name = "retry-collapse-one-edge";

const parameters = z.object({
  attempts: z.int().min(fewestAttempts).max(10).default(fewestAttempts).describe("tries of each call in all"),
  timeoutMs: z.int().min(100).max(1500).default(750).describe("after which a try is given up"),
  backoffMs: z.int().min(0).max(500).default(50).describe("wait before each further try"),
});

/** The trigger: five times the users for half a minute. SREGym's burst has five times the requests. */
const burst = { factor: 5, seconds: 30 } as const;

const field = { of: "container", field: "env" } as const;
type Variables = readonly { readonly name: string; readonly value?: string }[];

function edgeOfTarget({ environment, target }: Pick<TruthContext, "environment" | "target">): Edge {
  const place = targetOf(environment, target);
  const edge = place && edgeOf(place, environment);
  if (!edge) throw new Error(`${target} of ${environment.name} has no call that could collapse`);
  return edge;
}

/** The declared variables with those of a policy. */
function withPolicy(
  { environment, target }: Pick<TruthContext, "environment" | "target">,
  place: Place,
  { attempts, timeoutMs, backoffMs }: z.output<typeof parameters>,
): Variables {
  const { policy } = edgeOfTarget({ environment, target });
  const declared = (declaredValue(environment, place, field) ?? []) as Variables;
  return [
    ...declared,
    { name: policy.timeoutMs, value: String(timeoutMs) },
    { name: policy.attempts, value: String(attempts) },
    { name: policy.backoffMs, value: String(backoffMs) },
  ];
}

const change = workloadFault({
  parameters,
  edits: [
    {
      ...field,
      wrong: (context, place) => withPolicy(context, place, context.parameters),
      cause: (context) => ({
        path: `[name=${edgeOfTarget(context).policy.attempts}].value`,
        wrong: String(context.parameters.attempts),
        right: "",
      }),
    },
  ],
  explanation: (context) =>
    `${context.target} was given ${context.parameters.attempts} tries for each call to ${edgeOfTarget(context).to}; since a burst of requests made calls late, the further tries keep ${edgeOfTarget(context).to} so busy that all are late`,
  mechanism: "overload-feeds-itself",
  systemLevel: "Application",
  faultType: "Misconfiguration",
  evidence: (labels) => templateEvidence(labels, field, addedAttempts),
});

/** Retries of one call multiply the load on what is called: a burst has made it late, and it stays so when the burst is over. */
export default defineFault({
  name,
  title: "Retries that keep a service overloaded",
  description: "retry-collapse-one-edge: requests to the service fail since there were many at once",
  drawn: {
    attempts: between(fewestAttempts, 6),
    timeoutMs: between(500, 900),
    backoffMs: between(20, 120),
  },
  symptom: "requests",
  recovery: ["ready", "serving", "requests"],
  ...offeredWorkloads((place, environment) =>
    edgeOf(place, environment)
      ? undefined
      : `${place.name} makes no call whose tries are set by variables and could be too many`,
  ),
  ...change,
  // What the program called takes is a limit of the system, and right.
  setting: (context) => {
    const { to, admits, most } = edgeOfTarget(context);
    return [
      deploymentWithContainer({ ...context, target: to }, ({ env = [] }) => ({
        env: [...env, { name: admits, value: String(most) }],
      })),
    ];
  },
  isSettled: (context) => isRolledOut(context, edgeOfTarget(context).to),
  async inject(context) {
    await change.inject(context);
    const origin = await context.cluster.clock.now();
    const pattern = { shape: "constant", factor: burst.factor } as const;
    await orderLoad(context, name, { pattern, seed: "", origin, until: origin + burst.seconds * 1000 });
  },
  async remove(context) {
    await dropLoad(context, name);
    await change.remove(context);
  },
  shortcuts: [
    setOther("gives each try more time, and leaves as many", field, (context, place) =>
      withPolicy(context, place, { attempts: fewestAttempts, timeoutMs: 1500, backoffMs: 50 }),
    ),
    restartCallee(),
    restartEverything,
    deletePods,
  ],
});

function restartCallee() {
  return {
    name: "restart-callee",
    doc: "restarts the program called: its queue is gone until the next burst",
    commands: (context: Parameters<typeof targetName>[0] & { readonly namespace: string }) => {
      const { to } = edgeOfTarget(context);
      const kubectl = `kubectl -n ${context.namespace}`;
      return [
        `${kubectl} rollout restart deployment/${to}`,
        `${kubectl} rollout status deployment/${to} --timeout=20s || echo "still rolling out"`,
      ];
    },
  };
}
