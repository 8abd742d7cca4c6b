import {
  type CauseLabels,
  commonCalls,
  type Evidence,
  evidenceBy,
  labelsOf,
  parseJson,
  podLabels,
  shellCall,
  z,
} from "@microremed/catalogue";

const columns = '{range .items[*]}{.metadata.name} {.spec}{"\\n"}{end}';
/** A line for each policy: its name, and its specification as JSON. */
const policies = shellCall(`kubectl get networkpolicies -o jsonpath='${columns}'`);

const Policy = z.object({
  podSelector: z.object({ matchLabels: z.record(z.string(), z.string()).default({}) }),
  policyTypes: z.array(z.string()).default([]),
  ingress: z.array(z.unknown()).default([]),
  egress: z.array(z.unknown()).default([]),
});

const Peer = z.strictObject({
  podSelector: z.strictObject({ matchLabels: z.record(z.string(), z.string()) }),
});
const Rule = z.object({ from: z.array(Peer).min(1).optional(), to: z.array(Peer).min(1).optional() });
type Labels = Readonly<Record<string, unknown>>;

const isLabelled = (own: Labels, wanted: Labels): boolean =>
  Object.entries(wanted).every(([key, value]) => own[key] === value);

/** Whether a rule allows connections with pods of labels that none has, and with nothing else. */
function allowsNone(rule: unknown, pods: readonly Labels[]): boolean {
  const { from = [], to = [] } = Rule.safeParse(rule).data ?? {};
  const peers = [...from, ...to];
  return (
    peers.length > 0 &&
    peers.every(({ podSelector }) => pods.every((own) => !isLabelled(own, podSelector.matchLabels)))
  );
}

/** A policy that was made lately selects pods and allows nothing in one direction. */
export const deniesAll = (labels: CauseLabels): Evidence =>
  evidenceBy([commonCalls.changes, policies, podLabels], ([log = "", listed = "", templates = ""]) => {
    const workloads = labelsOf(templates);
    return [...listed.matchAll(/^([a-z0-9.-]+) (\{.*\})$/gm)].flatMap(([, name = "", json = ""]) => {
      const policy = Policy.safeParse(parseJson(json)).data;
      if (!policy || !log.includes(` networkpolicy/${name} (`)) return [];
      const { podSelector, policyTypes, ingress, egress } = policy;
      const rules: Readonly<Record<string, readonly unknown[]>> = { Ingress: ingress, Egress: egress };
      const pods = [...workloads.values()];
      const closed = policyTypes.filter((type) => rules[type]?.every((rule) => allowsNone(rule, pods)));
      const [workload] = [...workloads].find(([, own]) => isLabelled(own, podSelector.matchLabels)) ?? [];
      if (closed.length === 0 || workload === undefined) return [];
      return [
        {
          object: { kind: "NetworkPolicy", name },
          field: "spec.policyTypes",
          wrong: JSON.stringify(policyTypes),
          right: "no such object",
          workload,
          seen: "cause" as const,
          ...labels,
        },
      ];
    });
  });
