import {
  changeEvidence,
  defineFault,
  deletePods,
  offeredWorkloads,
  restartEverything,
  setOther,
  strangeAddress,
  workloadFault,
  z,
} from "@microremed/catalogue";

const parameters = z.object({
  nameserver: z.ipv4().default("8.8.8.8").describe("asked instead of the cluster's; it knows no Service"),
});

const config = { of: "pod", field: "dnsConfig" } as const;

/** The pods ask a name server that knows nothing of the cluster. */
export default defineFault({
  name: "pod-dns-policy-wrong",
  title: "Wrong DNS policy",
  description: "pod-dns-policy-wrong: the service does not reach what it depends on",
  drawn: { nameserver: strangeAddress },
  withoutDraw: "a name server of its own needs the policy None",
  symptom: "requests",
  recovery: ["ready", "serving", "requests"],
  ...offeredWorkloads(({ name, workload: { calls, initContainers } }) => {
    if (!calls.some(({ discovery, required }) => discovery === "dns" && required))
      return `${name} needs no other workload that it looks up by its name`;
    return initContainers.length === 0
      ? undefined
      : `an init container of ${name} may keep the new pods from taking the place of the old ones`;
  }),
  ...workloadFault({
    parameters,
    edits: [
      {
        of: "pod",
        field: "dnsPolicy",
        wrong: () => "None",
        // Where the field is left out, the API server writes this.
        cause: () => ({ right: "ClusterFirst" }),
      },
      // The API server takes the policy None only together with a name server.
      { ...config, wrong: ({ parameters: { nameserver } }) => ({ nameservers: [nameserver] }) },
    ],
    explanation: (context) =>
      `the pods of ${context.target} ask a name server outside of the cluster, so no Service's name has an address for them`,
    mechanism: "name-not-resolved",
    systemLevel: "Virtualization",
    faultType: "Misconfiguration",
    evidence: (labels) =>
      changeEvidence(labels, ({ field, is }) => field === "spec.template.spec.dnsPolicy" && is === '"None"'),
  }),
  shortcuts: [
    setOther("asks another public name server", config, { nameservers: ["1.1.1.1"] }),
    restartEverything,
    deletePods,
  ],
});
