import {
  affectedObjects,
  defineFault,
  deletePods,
  type FaultContext,
  kinds,
  kubectl,
  offeredBehindServices,
  patchCommand,
  type Remedy,
  restartEverything,
  selectorOf,
  type TruthContext,
  targetOf,
  type WithParameters,
  z,
} from "@microremed/catalogue";

const parameters = z.object({
  direction: z
    .enum(["ingress", "egress", "both"])
    .default("both")
    .describe("which connections of the pods are dropped: to them, from them, or all"),
  suffix: z.string().default("isolation").describe("the policy's name after the workload's"),
});
type Context = WithParameters<z.output<typeof parameters>>;

const directions = { ingress: ["Ingress"], egress: ["Egress"], both: ["Ingress", "Egress"] } as const;

const nameOf = ({ environment, target, parameters: { suffix } }: TruthContext & Context): string =>
  `${targetOf(environment, target)?.name ?? target}-${suffix}`;

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
      podSelector: { matchLabels: selectorOf(place.name, place.workload) },
      policyTypes: directions[context.parameters.direction],
    },
  });
}

const deletePolicy: Remedy = {
  name: "delete-policy",
  doc: "the expert's fix: deletes the policy",
  commands: (context) => [
    `${kubectl(context)} delete networkpolicy ${nameOf({ ...context, parameters: parameters.parse(context.parameters ?? {}) })}`,
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
      nameOf({ ...context, parameters: parameters.parse(context.parameters ?? {}) }),
      [{ op: "add", path: "/spec/ingress", value: [{ from: [{ podSelector: {} }] }] }],
    ),
  ],
};

/** A NetworkPolicy drops the connections of the pods. */
export default defineFault({
  name: "network-policy-deny",
  title: "NetworkPolicy that denies everything",
  description: "network-policy-deny: connections to the service time out",
  parameters,
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
    objects: [
      {
        kind: "NetworkPolicy",
        name: nameOf(context),
        field: "spec.policyTypes",
        wrong: `${directions[context.parameters.direction].join(" and ")} without a rule: everything is dropped`,
        right: "no such object",
      },
    ],
    affected: affectedObjects(context),
    mechanism: "traffic-blocked",
    explanation: `the NetworkPolicy ${nameOf(context)} selects the pods of ${context.target} and allows nothing, so their connections are dropped`,
    systemLevel: "Virtualization",
    faultType: "Misconfiguration",
  }),
  repairs: [deletePolicy, deleteAll],
  shortcuts: [allowSome, restartEverything, deletePods],
});
