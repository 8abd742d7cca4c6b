import {
  changesByObject,
  commonCalls,
  defaultIn,
  defineFault,
  deletePods,
  evidenceBy,
  jsonPatch,
  offeredBehindServices,
  type Remedy,
  type Runbook,
  restartEverything,
  revertConfiguration,
  riskyStrategies,
  riskyStrategyOf,
  rollOut,
  setBack,
  shellWord,
  undoRollout,
  waitingContainer,
  workloadFault,
  z,
} from "@microremed/catalogue";

const parameters = z.object({
  maxUnavailable: z.string().default("100%").describe("of the old pods, at once"),
});

const strategy = { of: "workload", field: "strategy" } as const;
const inits = { of: "pod", field: "initContainers" } as const;

const undoBoth: Remedy = {
  name: "undo-and-strategy",
  doc: "goes back to the revision before, and to the strategy that Kubernetes has by default",
  commands: (context) => [
    jsonPatch(context, [{ op: "remove", path: "/spec/strategy" }]),
    ...undoRollout.commands(context),
  ],
};

const undoOnly: Remedy = {
  ...undoRollout,
  name: "undo-only",
  doc: "rolls back, so that the next update does the same",
};

const strategyOnly: Remedy = {
  name: "strategy-only",
  doc: "updates one pod after the other from now on; the new version does not start either way",
  commands: (context) => [
    jsonPatch(context, [{ op: "remove", path: "/spec/strategy" }]),
    ...rollOut(context),
  ],
};

/** Undoes the rollout, which leaves the strategy as it is, and takes away the strategy too. */
const revertBoth: Runbook = {
  ...revertConfiguration,
  act(found) {
    const { title, commands } = revertConfiguration.act(found);
    const operations = shellWord(JSON.stringify([{ op: "remove", path: "/spec/strategy" }]));
    const patch = `kubectl -n ${found.namespace} patch "$workload" --type=json -p ${operations}`;
    return { title, commands: [...commands, patch] };
  },
};

/** All pods are replaced at the same time by a new version that never starts. */
export default defineFault({
  name: "rolling-update-all-at-once",
  title: "Update of all pods at once",
  description: "rolling-update-all-at-once: an update has left the service without pods that work",
  symptom: "reach",
  recovery: ["ready", "serving", "reach"],
  ...offeredBehindServices(({ name, workload }) => {
    if (workload.kind !== "Deployment") return `${name} is updated in order, pod by pod`;
    return workload.initContainers.length === 0 ? undefined : `${name} has init containers of its own`;
  }),
  ...workloadFault({
    parameters,
    edits: [
      {
        ...strategy,
        wrong: ({ parameters: { maxUnavailable } }) => ({
          type: "RollingUpdate",
          rollingUpdate: { maxUnavailable, maxSurge: 0 },
        }),
      },
      // What the new version waits for before it starts.
      {
        ...inits,
        wrong: () => [waitingContainer("wait-for-migration", "schema-migration")],
      },
    ],
    explanation: (context) =>
      `the strategy of ${context.target} lets an update end all old pods before a new one is ready, and the new version waits for a Service that does not exist`,
    mechanism: "unsafe-rollout",
    systemLevel: "Virtualization",
    faultType: "Misconfiguration",
    evidence: (labels) =>
      evidenceBy([commonCalls.changes, riskyStrategies], ([log = "", risky = ""]) =>
        changesByObject(log).flatMap(([{ object }]) => {
          const wrong = object.kind === "Deployment" ? riskyStrategyOf(risky, object.name) : undefined;
          return wrong === undefined
            ? []
            : [
                {
                  ...{
                    object,
                    field: "spec.strategy",
                    wrong,
                    right: defaultIn("Deployment", "spec.strategy"),
                  },
                  workload: object.name,
                  seen: "cause" as const,
                  ...labels,
                },
              ];
        }),
      ),
  }),
  repairs: [setBack([strategy, inits]), undoBoth],
  runbook: revertBoth,
  shortcuts: [undoOnly, strategyOnly, restartEverything, deletePods],
});
