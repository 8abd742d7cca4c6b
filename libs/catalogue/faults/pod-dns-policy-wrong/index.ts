import {
  type CauseLabels,
  defineFault,
  deletePods,
  offeredWorkloads,
  restartEverything,
  revertConfiguration,
  setBack,
  setOther,
  truthOfChange,
  undoRollout,
  type WorkloadChange,
  workloadChange,
  z,
} from "@microremed/catalogue";

const labels: CauseLabels = {
  mechanism: "name-not-resolved",
  systemLevel: "Virtualization",
  faultType: "Misconfiguration",
};

const parameters = z.object({
  nameserver: z.ipv4().default("8.8.8.8").describe("asked instead of the cluster's; it knows no Service"),
});

const policy = { of: "pod", field: "dnsPolicy" } as const;
/** The API server takes the policy None only together with a name server. */
const config = { of: "pod", field: "dnsConfig" } as const;

const change: WorkloadChange<z.output<typeof parameters>> = {
  edits: ({ parameters: { nameserver } }) => [
    { ...policy, wrong: "None" },
    { ...config, wrong: { nameservers: [nameserver] } },
  ],
};

/** The pods ask a name server that knows nothing of the cluster. */
export default defineFault({
  name: "pod-dns-policy-wrong",
  title: "Wrong DNS policy",
  description: "pod-dns-policy-wrong: the service does not reach what it depends on",
  parameters,
  symptom: "requests",
  recovery: ["ready", "serving", "requests"],
  rightActions: [],
  ...offeredWorkloads(({ name, workload: { calls, initContainers } }) => {
    if (!calls.some(({ discovery, required }) => discovery === "dns" && required))
      return `${name} needs no other workload that it looks up by its name`;
    return initContainers.length === 0
      ? undefined
      : `an init container of ${name} may keep the new pods from taking the place of the old ones`;
  }),
  ...workloadChange<typeof parameters>(change),
  truth: (context) => ({
    ...truthOfChange(change, context),
    ...labels,
    explanation: `the pods of ${context.target} ask a name server outside of the cluster, so no Service's name has an address for them`,
  }),
  repairs: [undoRollout, setBack([policy, config])],
  shortcuts: [
    setOther("asks another public name server", config, { nameservers: ["1.1.1.1"] }),
    restartEverything,
    deletePods,
  ],
  runbook: revertConfiguration,
});
