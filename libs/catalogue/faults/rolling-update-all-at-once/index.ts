import {
  beforeStuckStarts,
  changesByObject,
  commonCalls,
  defaultIn,
  defineFault,
  deletePods,
  drawnName,
  evidenceBy,
  jsonPatch,
  lacksPods,
  objectName,
  offeredBehindServices,
  type Remedy,
  type Runbook,
  restartEverything,
  revertConfiguration,
  rightValue,
  riskyStrategies,
  riskyStrategyOf,
  rollOut,
  setBack,
  shellWord,
  shortOfPods,
  targetOf,
  undoRollout,
  waitingContainer,
  workloadFault,
  z,
} from "@microremed/catalogue";

const parameters = z.object({
  maxUnavailable: z
    .string()
    .regex(/^(\d{1,3}|100%)$/)
    .default("100%")
    .describe("of the old pods, at once: all of them, or a number that is as large"),
  waits: objectName.default("wait-for-migration").describe("name of the init container that waits"),
  service: objectName.default("schema-migration").describe("what it waits for; no Service has this name"),
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
  drawn: {
    maxUnavailable: (rng, { environment, target }) => {
      const least = Math.max(2, targetOf(environment, target)?.workload.replicas ?? 0);
      return rng.int(8) === 0 ? "100%" : String(least + rng.int(40));
    },
    waits: drawnName("wait", "init", "migrate", "check"),
    service: drawnName("migration", "schema", "jobs", "db"),
  },
  lookalikes: ["strategy-hasty"],
  logs: ["rollout", "rollout"],
  symptom: "reach",
  recovery: ["ready", "serving", "reach"],
  ...offeredBehindServices(({ name, workload }, environment) => {
    if (workload.kind !== "Deployment") return `${name} is updated in order, pod by pod`;
    const declared = { kind: { kind: workload.kind }, name, path: "/spec/strategy/type" };
    if (rightValue(environment, declared) === "Recreate")
      return `updates of ${name} end all pods at once anyway`;
    return workload.initContainers.length === 0 ? undefined : `${name} has init containers of its own`;
  }),
  ...workloadFault({
    parameters,
    edits: [
      {
        ...strategy,
        wrong: ({ parameters: { maxUnavailable } }) => ({
          type: "RollingUpdate",
          rollingUpdate: {
            maxUnavailable: /%/.test(maxUnavailable) ? maxUnavailable : Number(maxUnavailable),
            maxSurge: 0,
          },
        }),
      },
      // What the new version waits for before it starts.
      {
        ...inits,
        wrong: ({ parameters: { waits, service } }) => [waitingContainer(waits, service)],
        cause: () => ({ beside: true }),
      },
    ],
    explanation: (context) =>
      `the strategy of ${context.target} lets an update end all old pods before a new one is ready, and the new version waits for a Service that does not exist`,
    mechanism: "unsafe-rollout",
    systemLevel: "Virtualization",
    faultType: "Misconfiguration",
    evidence: (labels) =>
      evidenceBy(
        [commonCalls.changes, beforeStuckStarts, riskyStrategies, shortOfPods],
        ([log = "", , risky = "", short = ""]) =>
          changesByObject(log).flatMap(([{ object }]) => {
            const wrong = object.kind === "Deployment" ? riskyStrategyOf(risky, object.name) : undefined;
            return wrong === undefined || !lacksPods(short, object)
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
