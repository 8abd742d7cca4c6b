import {
  beforeStuckStarts,
  defineFault,
  deletePods,
  keepsData,
  lacksPods,
  offeredWorkloads,
  restartEverything,
  restartingShortcuts,
  setOther,
  shortOfPods,
  templateEvidence,
  workloadFault,
  z,
} from "@microremed/catalogue";

const parameters = z.object({
  topologyKey: z
    .string()
    .min(1)
    .default("kubernetes.io/os")
    .describe("label of nodes: two pods may not run on nodes with the same value of it"),
});

const field = { of: "pod", field: "affinity" } as const;

const apart = (matchLabels: Readonly<Record<string, string>>, topologyKey: string) => ({
  podAntiAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: [{ labelSelector: { matchLabels }, topologyKey }],
  },
});

/** Whether an affinity says that some pods must not run where others do. */
const keepsApart = (affinity: unknown): boolean =>
  /"podAntiAffinity":\{[^}]*"requiredDuringScheduling/.test(JSON.stringify(affinity ?? {}));

/** No new pod of the workload may run where an old one does, and that is everywhere: an update never ends. */
export default defineFault({
  name: "anti-affinity-deadlock",
  title: "Pods that exclude each other",
  description: "anti-affinity-deadlock: the service's new pods are not placed on any node",
  drawn: {
    topologyKey: (rng) => `${rng.pick(["", "beta."])}kubernetes.io/${rng.pick(["os", "arch"])}`,
  },
  lookalikes: ["apart-required"],
  symptom: "ready",
  recovery: ["ready", "serving"],
  // A StatefulSet ends an old pod before it makes the new one.
  ...offeredWorkloads(({ name, workload }) =>
    workload.kind === "StatefulSet" && workload.replicas < 2
      ? `the one pod of ${name} ends before the new one comes`
      : undefined,
  ),
  ...workloadFault({
    parameters,
    edits: [
      {
        ...field,
        wrong: ({ parameters: { topologyKey } }, { workload }) => apart(workload.selector, topologyKey),
      },
    ],
    pods: "unplaced",
    explanation: (context) =>
      `no two pods of ${context.target} may run on nodes with the same ${context.parameters.topologyKey}, which all nodes share, so new ones wait for the old ones and the old ones for the new`,
    mechanism: "unschedulable",
    systemLevel: "Virtualization",
    faultType: "Misconfiguration",
    evidence: (labels) =>
      templateEvidence(
        labels,
        field,
        ({ object, was, is, answers: [, short = ""] }) =>
          keepsApart(is) && !keepsApart(was) && lacksPods(short, object),
        [beforeStuckStarts, shortOfPods],
      ),
  }),
  shortcuts: [
    restartEverything,
    deletePods,
    {
      ...setOther("names the architecture instead, which all nodes share too", field, {
        podAntiAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            { labelSelector: {}, topologyKey: "kubernetes.io/arch" },
          ],
        },
      }),
      applies: ({ environment, name }) => !keepsData(environment, name),
    },
  ],
  notShortcuts: restartingShortcuts,
});
