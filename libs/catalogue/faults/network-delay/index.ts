import {
  chaosFault,
  defineFault,
  dropProbes,
  kinds,
  leaveNode,
  offeredWorkloads,
  pingEvidence,
  removeCause,
  z,
} from "@microremed/catalogue";

const parameters = z.object({
  latencyMs: z.int().min(1).max(600_000).default(1000).describe("time that every leaving packet waits, ms"),
});

/** Round trips within a cluster take far less, ms. */
const lateMs = 20;

/** Every packet that leaves the pod waits. */
export default defineFault({
  name: "network-delay",
  title: "Network delay",
  description: "network-delay: the service's network answers late",
  parameters,
  strengths: [
    // The symptom's oracle calls less than 500 ms a bad moment.
    { name: "600 ms", parameters: { latencyMs: 600 } },
    { name: "5 s", parameters: { latencyMs: 5000 } },
  ],
  symptom: "latency",
  recovery: ["ready", "serving", "loss", "latency"],
  rightActions: [removeCause, leaveNode],
  published: { check: "pings", timeoutSeconds: 10, readyFirst: true },
  ...offeredWorkloads(),
  ...chaosFault<z.output<typeof parameters>>({
    kind: kinds.networkChaos,
    name: "network-delay",
    spec: ({ parameters: { latencyMs } }) => ({
      action: "delay",
      delay: { latency: `${latencyMs}ms`, correlation: "0" },
      direction: "to",
    }),
    wrong: ({ target, parameters: { latencyMs } }) => ({
      field: "spec.delay.latency",
      value: `${latencyMs} ms for what leaves one pod of ${target}`,
      explanation: `packets that leave a pod of ${target} wait, so its callers time out or are late themselves`,
    }),
    mechanism: "network-slow",
    systemLevel: "Virtualization",
    faultType: "Network/Storage Issue",
    evidence: (labels) => pingEvidence(labels, ({ share, rttMs }) => share > 0.5 && (rttMs ?? 0) > lateMs),
  }),
  shortcuts: [dropProbes],
});
