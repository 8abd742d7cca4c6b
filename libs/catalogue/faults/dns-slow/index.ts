import {
  between,
  defineFault,
  deletePods,
  isJsonObject,
  isLoaded,
  namespaceOf,
  offeredWorkloads,
  restartEverything,
  setOther,
  strangeAddress,
  templateEvidence,
  workloadFault,
  z,
} from "@microremed/catalogue";

const parameters = z.object({
  seconds: z
    .int()
    .min(1)
    .max(30)
    .default(5)
    .describe("that each look-up waits; 5: what resolvers do by default"),
  nameserver: z.ipv4().default("10.96.0.2").describe("asked first; nothing answers there"),
  clusterDns: z.ipv4().default("10.96.0.10").describe("the cluster's own name server"),
});

const configField = { of: "pod", field: "dnsConfig" } as const;

/** What the kubelet gives to pods by default, behind a name server that does not answer. */
const slowed = (namespace: string, servers: readonly string[], seconds: number) => ({
  nameservers: servers,
  searches: [`${namespace}.svc.cluster.local`, "svc.cluster.local", "cluster.local"],
  options: [
    { name: "ndots", value: "5" },
    { name: "timeout", value: String(seconds) },
  ],
});

/** Several name servers with a time-out for each: without need for the second nothing sets that. */
const isSlow = (config: unknown): boolean =>
  isJsonObject(config) &&
  Array.isArray(config["nameservers"]) &&
  config["nameservers"].length > 1 &&
  JSON.stringify(config["options"] ?? []).includes('"timeout"');

/** The pods ask a name server first that does not answer: each look-up takes seconds, then goes well. */
export default defineFault({
  name: "dns-slow",
  title: "Slow name service",
  description: "dns-slow: requests to the service take long",
  strengths: [
    { name: "2 seconds", parameters: { seconds: 2 } },
    { name: "10 seconds", parameters: { seconds: 10 } },
  ],
  drawn: { seconds: between(4, 9), nameserver: strangeAddress },
  symptom: "requests",
  recovery: ["ready", "serving", "requests"],
  ...offeredWorkloads(({ name, workload: { calls, initContainers } }, environment) => {
    // Others keep their connections, and need no address once they have them.
    const connects = calls.some(
      ({ discovery, protocol, required, perRequest }) =>
        discovery === "dns" && protocol === "http" && required && perRequest > 0,
    );
    if (!connects) return `${name} makes no call that asks for an address each time`;
    if (!isLoaded(environment, name)) return `users hardly ever reach ${name}`;
    return initContainers.length === 0
      ? undefined
      : `an init container of ${name} may keep the new pods from taking the place of the old ones`;
  }),
  ...workloadFault({
    parameters,
    edits: [
      {
        ...configField,
        wrong: (context) => {
          const { seconds, nameserver, clusterDns } = context.parameters;
          return slowed(namespaceOf(context), [nameserver, clusterDns], seconds);
        },
      },
      { of: "pod", field: "dnsPolicy", wrong: () => "None", cause: () => ({ right: "ClusterFirst" }) },
    ],
    explanation: ({ target, parameters: { nameserver } }) =>
      `the pods of ${target} ask ${nameserver} first, which does not answer, and wait for it before they ask the cluster's name server`,
    mechanism: "name-not-resolved",
    systemLevel: "Virtualization",
    faultType: "Misconfiguration",
    evidence: (labels) =>
      templateEvidence(labels, configField, ({ was, is }) => was === undefined && isSlow(is)),
  }),
  shortcuts: [
    setOther("asks another name server first that does not answer", configField, (context) =>
      slowed(context.namespace, ["10.96.0.3", "10.96.0.10"], 5),
    ),
    restartEverything,
    deletePods,
  ],
});
