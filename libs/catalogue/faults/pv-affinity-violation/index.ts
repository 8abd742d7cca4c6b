import {
  anotherDeployment,
  defineFault,
  deletePods,
  drawnName,
  type FaultContext,
  namespaceOf,
  objectName,
  offeredWorkloads,
  type Place,
  releaseNodes,
  reserveNode,
  restartEverything,
  restartingShortcuts,
  rightValue,
  setOther,
  type TruthContext,
  unplacedEvidence,
  type WithParameters,
  workloadFault,
  z,
} from "@microremed/catalogue";
import { claimOf, removeVolume, volumeOf } from "./volume.ts";

const parameters = z.object({
  claim: objectName.default("archive").describe("name of the claim that the pods mount, and of its volume"),
  key: objectName.default("storage-pool").describe("label of the one node that reaches the volume"),
});
type Context = TruthContext & WithParameters<z.output<typeof parameters>>;

const field = { of: "pod", field: "affinity" } as const;

/** Nodes without this label, or with it and another value. */
const offNodes = (key: string, value: string) => ({
  nodeAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: {
      nodeSelectorTerms: [{ matchExpressions: [{ key, operator: "NotIn", values: [value] }] }],
    },
  },
});

/** The volumes that are declared, and the claim. */
function withClaim(context: Context, { name, workload }: Place): object[] {
  const path = "/spec/template/spec/volumes";
  const declared = rightValue(context.environment, { kind: { kind: workload.kind }, name, path });
  const { claim } = context.parameters;
  const volumes = z.array(z.looseObject({ name: z.string() })).parse(declared ?? []);
  return [...volumes, { name: claim, persistentVolumeClaim: { claimName: claim } }];
}

const { inject, remove, ...parts } = workloadFault({
  parameters,
  edits: [
    { ...field, wrong: (context) => offNodes(context.parameters.key, namespaceOf(context)) },
    { of: "pod", field: "volumes", wrong: withClaim, cause: () => ({ beside: true }) },
  ],
  endsOldPods: true,
  pods: "unplaced",
  explanation: ({ target, parameters: { claim, key } }) =>
    `pods of ${target} mount the claim ${claim}, whose volume is on the nodes with the label ${key}, and must not run on these nodes`,
  mechanism: "unschedulable",
  systemLevel: "Virtualization",
  faultType: "Misconfiguration",
  evidence: (labels) =>
    unplacedEvidence(
      labels,
      field,
      { reason: "volume node affinity conflict" },
      ({ is }) => is !== undefined,
    ),
});

/** The pods mount a volume that one node reaches, and must not run there. */
export default defineFault({
  name: "pv-affinity-violation",
  title: "Volume on another node",
  description: "pv-affinity-violation: the service's pods are not placed on any node",
  drawn: {
    claim: drawnName("data", "logs", "claim", "pvc", "store"),
    key: drawnName("pool", "disk", "storage", "zone"),
  },
  symptom: "ready",
  recovery: ["ready", "serving"],
  ...offeredWorkloads(),
  ...parts,
  async inject(context: FaultContext & Context) {
    const { key, claim } = context.parameters;
    await reserveNode(context, key, false);
    await context.cluster.apply(volumeOf(context.namespace, claim, key));
    await context.cluster.apply(claimOf(context.namespace, claim));
    await inject(context);
  },
  async remove(context) {
    const { key, claim } = context.parameters;
    await remove(context);
    await removeVolume(context, claim);
    await releaseNodes(context, key);
  },
  shortcuts: [
    restartEverything,
    deletePods,
    setOther("keeps off every node with Linux, which all have", field, offNodes("kubernetes.io/os", "linux")),
    anotherDeployment,
  ],
  notShortcuts: restartingShortcuts,
});
