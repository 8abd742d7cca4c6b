import {
  defineFault,
  deletePods,
  jsonPatch,
  offeredBehindServices,
  type Remedy,
  restartEverything,
  rollOut,
  setBack,
  truthOfChange,
  undoRollout,
  type WorkloadChange,
  workloadChange,
  z,
} from "@microremed/catalogue";

const parameters = z.object({
  maxUnavailable: z.string().default("100%").describe("of the old pods, at once"),
});

const strategy = { of: "workload", field: "strategy" } as const;
const inits = { of: "pod", field: "initContainers" } as const;

/** What the new version waits for before it starts, with all that the API server adds. */
const migration = {
  name: "wait-for-migration",
  image: "busybox:1.35",
  imagePullPolicy: "IfNotPresent",
  command: [
    "sh",
    "-c",
    "until nslookup schema-migration; do echo waiting for schema-migration; sleep 2; done",
  ],
  resources: { requests: { cpu: "10m", memory: "16Mi" }, limits: { cpu: "50m", memory: "64Mi" } },
  terminationMessagePath: "/dev/termination-log",
  terminationMessagePolicy: "File",
};

const change: WorkloadChange<z.output<typeof parameters>> = {
  edits: ({ parameters: { maxUnavailable } }) => [
    { ...strategy, wrong: { type: "RollingUpdate", rollingUpdate: { maxUnavailable, maxSurge: 0 } } },
    { ...inits, wrong: [migration] },
  ],
};

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

/** All pods are replaced at the same time by a new version that never starts. */
export default defineFault({
  name: "rolling-update-all-at-once",
  title: "Update of all pods at once",
  description: "rolling-update-all-at-once: an update has left the service without pods that work",
  parameters,
  symptom: "reach",
  recovery: ["ready", "serving", "reach"],
  rightActions: [],
  ...offeredBehindServices(({ name, workload }) => {
    if (workload.kind !== "Deployment") return `${name} is updated in order, pod by pod`;
    return workload.initContainers.length === 0 ? undefined : `${name} has init containers of its own`;
  }),
  ...workloadChange<typeof parameters>(change),
  truth: (context) => ({
    ...truthOfChange(change, context),
    mechanism: "unsafe-rollout",
    explanation: `the strategy of ${context.target} lets an update end all old pods before a new one is ready, and the new version waits for what does not exist`,
    systemLevel: "Virtualization",
    faultType: "Misconfiguration",
  }),
  repairs: [setBack([strategy, inits]), undoBoth],
  shortcuts: [undoOnly, strategyOnly, restartEverything, deletePods],
});
