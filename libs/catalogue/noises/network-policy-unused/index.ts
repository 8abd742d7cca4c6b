import {
  createOnce,
  defineNoise,
  drawnEnding,
  drawnName,
  drawnWord,
  isThere,
  kinds,
  labelName,
  nameEnding,
  z,
} from "@microremed/catalogue";

const parameters = z.object({
  suffix: nameEnding.default("traffic-rules").describe("of the policy's name, behind that of the workload"),
  direction: z.enum(["ingress", "egress", "both"]).default("both").describe("in which it allows nothing"),
  label: labelName.default("role").describe("that no pod has"),
  value: nameEnding.default("legacy").describe("of the label; no pod has it"),
});
type Parameters = z.output<typeof parameters>;

const nameOf = (target: string, { suffix }: Parameters): string => `${target}-${suffix}`;

const typesOf = { ingress: ["Ingress"], egress: ["Egress"], both: ["Ingress", "Egress"] } as const;

export default defineNoise({
  name: "network-policy-unused",
  title: "A NetworkPolicy that selects no pod",
  description:
    "A NetworkPolicy allows nothing. It selects pods of a workload by one more label, which none has, so that all connections go through as before.",
  parameters,
  changes: ["spec"],
  logs: ["created"],
  drawn: {
    suffix: drawnEnding("isolation", "policy", "deny", "guard", "rules", "netpol"),
    direction: (rng) => rng.pick(["ingress", "egress", "both"]),
    label: drawnName("access", "client", "role", "caller"),
    value: (rng) => `${drawnWord(rng)}-${drawnWord(rng)}`,
  },
  targets: ({ workloads }) => Object.keys(workloads),
  decoys: ({ target, parameters: given }) => [{ kind: "NetworkPolicy", name: nameOf(target, given) }],
  async place(context) {
    const { environment, target, parameters: given } = context;
    const own = environment.workloads[target]?.selector ?? {};
    await createOnce(context, {
      ...kinds.networkPolicy,
      metadata: { name: nameOf(target, given) },
      spec: {
        podSelector: { matchLabels: { ...own, [given.label]: given.value } },
        policyTypes: [...typesOf[given.direction]],
      },
    });
  },
  isSettled: (context) => isThere(context, kinds.networkPolicy, nameOf(context.target, context.parameters)),
});
