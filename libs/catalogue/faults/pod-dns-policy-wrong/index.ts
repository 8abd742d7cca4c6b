import {
  type ChangedField,
  changeFinding,
  changesByObject,
  commonCalls,
  type Draw,
  defineFault,
  deletePods,
  evidenceBy,
  longCall,
  namespaceOf,
  offeredWorkloads,
  restartEverything,
  setOther,
  strangeAddress,
  workloadFault,
  z,
} from "@microremed/catalogue";

const parameters = z.object({
  nameserver: z.ipv4().default("8.8.8.8").describe("asked instead of the cluster's; it knows no Service"),
  searches: z
    .boolean()
    .default(false)
    .describe("whether the pods' domains are listed as the cluster lists them"),
});

const config = { of: "pod", field: "dnsConfig" } as const;

const searchesIn = (namespace: string): string[] => [
  `${namespace}.svc.cluster.local`,
  "svc.cluster.local",
  "cluster.local",
];

/** An address such as Services have in many clusters, and none of this one's name servers has. */
const drawnServer: Draw<string> = (rng, where) =>
  rng.int(4) === 0
    ? strangeAddress(rng, where)
    : `10.${96 + rng.int(16)}.${rng.int(256)}.${11 + rng.int(240)}`;

const containers = "{range .spec.containers[*]} {.name}={.image}{end}";
/** The second policy means the first for pods that are not on their node's network. */
const usual = ["ClusterFirst", "ClusterFirstWithHostNet"]
  .map(
    (policy) => `{range .items[?(@.spec.dnsPolicy=="${policy}")]}{.metadata.name}${containers}{"\\n"}{end}`,
  )
  .join("");
/** `<pod>/<container>=<image>`, a line each. */
const listed = `kubectl get pods -o jsonpath='${usual}' | awk '{ for (i = 2; i <= NF; i++) print $1 "/" $i }'`;
const parts = `p=\${t%%/*}; r=\${t#*/}; c=\${r%%=*}; i=\${r#*=}`;
const reads = `r=$(kubectl exec "$p" -c "$c" -- cat /etc/resolv.conf 2>&1); if [ $? = 0 ]; then echo "$r"; break; fi`;
const clusters = `kubectl get services kube-dns -n kube-system -o jsonpath='nameserver {.spec.clusterIP}{"\\n"}' 2>/dev/null`;
/**
 * The cluster's name server where its Service may be read, and what a pod that leaves its name servers to the cluster has in its
 * file of them. An image without a cat is tried once.
 */
const usualServers = longCall(
  `${clusters}; bare=" "; for t in $(${listed}); do ${parts}; case "$bare" in *" $i "*) continue ;; esac; ${reads}; case "$r" in *"file not found"*|*"no such file"*) bare="$bare$i " ;; esac; done`,
);

/** Whether the first name server of changed pods is another one than other pods have, by the answer to `usualServers`. */
function asksElsewhere(changes: readonly ChangedField[], answer: string): boolean {
  const own = changes.find(({ field }) => field.startsWith("spec.template.spec.dnsConfig"));
  const [first] = /\d+\.\d+\.\d+\.\d+/.exec(own?.is ?? "") ?? [];
  const usual = [...answer.matchAll(/^nameserver (\S+)/gm)].map(([, address]) => address);
  return !usual.includes(first);
}

/** The pods ask a name server that knows nothing of the cluster. */
export default defineFault({
  name: "pod-dns-policy-wrong",
  title: "Wrong DNS policy",
  description: "pod-dns-policy-wrong: the service does not reach what it depends on",
  drawn: { nameserver: drawnServer, searches: () => true },
  withoutDraw: "a name server of its own needs the policy None",
  lookalikes: ["name-servers-stated"],
  // A new pod's init container would ask the wrong server for its Service and wait for ever, and the old pods serve on.
  hiddenBy: ["spec.template.spec.initContainers"],
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
      {
        ...config,
        wrong: (context) => ({
          nameservers: [context.parameters.nameserver],
          ...(context.parameters.searches && { searches: searchesIn(namespaceOf(context)) }),
        }),
      },
    ],
    explanation: (context) =>
      `the pods of ${context.target} ask a name server outside of the cluster, so no Service's name has an address for them`,
    mechanism: "name-not-resolved",
    systemLevel: "Virtualization",
    faultType: "Misconfiguration",
    evidence: (labels) =>
      evidenceBy([commonCalls.changes, usualServers], ([log = "", usual = ""]) =>
        changesByObject(log).flatMap((changes) => {
          const policy = changes.find(({ field }) => field === "spec.template.spec.dnsPolicy");
          return policy?.is === '"None"' && asksElsewhere(changes, usual)
            ? [changeFinding(policy, labels)]
            : [];
        }),
      ),
  }),
  shortcuts: [
    setOther("asks another public name server", config, { nameservers: ["1.1.1.1"] }),
    restartEverything,
    deletePods,
  ],
});
