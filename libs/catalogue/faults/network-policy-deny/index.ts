import {
  affectedObjects,
  type CauseLabels,
  defineFault,
  deletePods,
  drawnEnding,
  drawnName,
  drawnWord,
  type FaultContext,
  kinds,
  kubectl,
  offeredBehindServices,
  parametersOf,
  patchCommand,
  type Remedy,
  type Runbook,
  restartEverything,
  type TruthContext,
  targetName,
  targetOf,
  valueInWords,
  type WithParameters,
  z,
} from "@microremed/catalogue";
import { deniesAll } from "./evidence.ts";

const parameters = z.object({
  direction: z
    .enum(["ingress", "egress", "both"])
    .default("both")
    .describe("which connections of the pods are dropped: to them, from them, or all"),
  suffix: z.string().default("isolation").describe("the policy's name after the workload's"),
  allowed: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]*=[a-z0-9-]*[a-z0-9]$/)
    .optional()
    .describe(
      "label of the only pods with which connections are allowed; no pod has it. Absent: the policy has no rule",
    ),
});
type Context = WithParameters<z.output<typeof parameters>>;

const directions = { ingress: ["Ingress"], egress: ["Egress"], both: ["Ingress", "Egress"] } as const;

/** What the policy says of connections. */
function rulesOf({ direction, allowed }: z.output<typeof parameters>) {
  const [label = "", value = ""] = allowed?.split("=") ?? [];
  const peers = [{ podSelector: { matchLabels: { [label]: value } } }];
  return {
    policyTypes: directions[direction],
    ...(allowed && direction !== "egress" && { ingress: [{ from: peers }] }),
    ...(allowed && direction !== "ingress" && { egress: [{ to: peers }] }),
  };
}

const nameOf = (context: TruthContext & Context): string =>
  `${targetName(context)}-${context.parameters.suffix}`;

async function status(context: FaultContext & Context) {
  const { cluster, namespace } = context;
  const found = (await cluster.get(kinds.networkPolicy, namespace, nameOf(context))) !== undefined;
  const note = `there is ${found ? "a" : "no"} NetworkPolicy ${nameOf(context)}`;
  return { present: found, injected: found, pods: [], expiresAt: null, note };
}

async function inject(context: FaultContext & Context): Promise<void> {
  const { cluster, namespace, environment, target } = context;
  const place = targetOf(environment, target);
  if (!place || (await status(context)).present) return;
  await cluster.create({
    apiVersion: kinds.networkPolicy.apiVersion,
    kind: kinds.networkPolicy.kind,
    metadata: { name: nameOf(context), namespace },
    spec: {
      podSelector: { matchLabels: place.workload.selector },
      ...rulesOf(context.parameters),
    },
  });
}

const deletePolicy: Remedy = {
  name: "delete-policy",
  doc: "the expert's fix: deletes the policy",
  commands: (context) => [
    `${kubectl(context)} delete networkpolicy ${nameOf({ ...context, parameters: parametersOf(parameters, context) })}`,
  ],
};

const deleteAll: Remedy = {
  name: "delete-policies",
  doc: "deletes every policy of the namespace; the system has none of its own",
  commands: (context) => [`${kubectl(context)} delete networkpolicy --all`],
};

const allowSome: Remedy = {
  name: "allow-callers",
  doc: "lets the system's own pods in, and nothing out",
  commands: (context) => [
    patchCommand(
      context,
      kinds.networkPolicy,
      nameOf({ ...context, parameters: parametersOf(parameters, context) }),
      [{ op: "add", path: "/spec/ingress", value: [{ from: [{ podSelector: {} }] }] }],
    ),
  ],
};

const labels: CauseLabels = {
  mechanism: "traffic-blocked",
  systemLevel: "Virtualization",
  faultType: "Misconfiguration",
};

const columns = '{range .items[*]}{.metadata.name} {.spec.podSelector.matchLabels}{"\\n"}{end}';

/** Deletes the policy that was found, else each one that names the workload among the labels of its pods. */
const deleteFound: Runbook = {
  observe: ({ namespace }) => `kubectl -n ${namespace} get networkpolicies -o name`,
  act({ namespace, target, finding }) {
    const all = `kubectl -n ${namespace} get networkpolicies -o jsonpath='${columns}'`;
    const found = finding ? finding.object.name : `$(${all} | grep '"${target}"' | cut -d" " -f1)`;
    return {
      title: `Delete the policy that isolates ${target}`,
      commands: [
        `for policy in ${found}; do kubectl -n ${namespace} delete networkpolicy "$policy" --ignore-not-found; done`,
      ],
    };
  },
};

/** A NetworkPolicy drops the connections of the pods. */
export default defineFault({
  name: "network-policy-deny",
  title: "NetworkPolicy that denies everything",
  description: "network-policy-deny: connections to the service time out",
  parameters,
  strengths: [
    { name: "ingress", parameters: { direction: "ingress" } },
    {
      name: "egress",
      parameters: { direction: "egress" },
      // Shows where a caller's requests are answered by what the program itself calls.
      applies: ({ environment: { workloads }, target }) =>
        (workloads[target]?.calls.some(({ required }) => required) ?? false) &&
        Object.values(workloads).some(({ calls }) => calls.some(({ to }) => to === target)),
    },
  ],
  drawn: {
    suffix: drawnEnding("isolation", "policy", "deny", "guard", "rules", "netpol"),
    allowed: (rng, where) =>
      rng.int(3) === 0
        ? undefined
        : `${drawnName("access", "client", "role", "caller")(rng, where)}=${drawnWord(rng)}`,
  },
  lookalikes: ["network-policy-unused"],
  logs: ["created"],
  symptom: "reach",
  recovery: ["ready", "serving", "reach"],
  rightActions: [],
  ...offeredBehindServices(),
  inject,
  status,
  remove: async (context) => {
    if ((await status(context)).present)
      await context.cluster.delete(kinds.networkPolicy, context.namespace, nameOf(context));
  },
  truth: (context) => ({
    // Who names the policy as a whole has found it too.
    objects: [
      ...Object.entries(rulesOf(context.parameters)).map(([field, wrong]) => ({
        field: `spec.${field}`,
        wrong: valueInWords(wrong),
      })),
      { field: "", wrong: "there is one" },
    ].map((one) => ({ kind: "NetworkPolicy", name: nameOf(context), ...one, right: "no such object" })),
    affected: affectedObjects(context),
    ...labels,
    explanation: `the NetworkPolicy ${nameOf(context)} selects the pods of ${context.target} and allows no pod that there is, so their connections are dropped`,
  }),
  repairs: [deletePolicy, deleteAll],
  runbook: deleteFound,
  evidence: deniesAll(labels),
  shortcuts: [allowSome, restartEverything, deletePods],
});
