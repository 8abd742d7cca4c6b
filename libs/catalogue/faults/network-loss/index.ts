import {
  chaosFault,
  defineFault,
  kinds,
  leaveNode,
  offeredWorkloads,
  otherImage,
  pingEvidence,
  removeCause,
  z,
} from "@microremed/catalogue";

const parameters = z.object({
  percent: z.int().min(1).max(100).default(50).describe("share of the leaving packets that is lost, percent"),
});

/** A share of the packets that leave the pod is lost. */
export default defineFault({
  name: "network-loss",
  title: "Packet loss",
  description: "network-loss: the service loses network packets",
  parameters,
  strengths: [
    { name: "20 %", parameters: { percent: 20 } },
    { name: "90 %", parameters: { percent: 90 } },
  ],
  symptom: "loss",
  recovery: ["ready", "serving", "loss", "latency"],
  rightActions: [removeCause, leaveNode],
  published: { check: "pings", timeoutSeconds: 10, readyFirst: true },
  ...offeredWorkloads(),
  ...chaosFault<z.output<typeof parameters>>({
    kind: kinds.networkChaos,
    name: "network-loss",
    spec: ({ parameters: { percent } }) => ({
      action: "loss",
      loss: { loss: String(percent), correlation: "0" },
      direction: "to",
    }),
    wrong: ({ target, parameters: { percent } }) => ({
      field: "spec.loss.loss",
      value: `${percent} % of what leaves one pod of ${target}`,
      explanation: `packets that leave a pod of ${target} are dropped, so its answers come late or not at all`,
    }),
    mechanism: "packets-lost",
    systemLevel: "Virtualization",
    faultType: "Network/Storage Issue",
    evidence: (labels) => pingEvidence(labels, ({ share }) => share < 0.95),
  }),
  shortcuts: [otherImage],
});
