import {
  anotherDeployment,
  defineFault,
  deletePods,
  kubectl,
  offeredWorkloads,
  type Place,
  type Remedy,
  type RemedyContext,
  restartEverything,
  revertConfiguration,
  rollOut,
  setBack,
  setOther,
  targetOf,
  truthOfChange,
  undoRollout,
  type WorkloadChange,
  workloadChange,
  z,
} from "@microremed/catalogue";

const parameters = z.object({
  claim: z
    .string()
    .regex(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/)
    .default("data-logs")
    .describe("name of the claim that the pods mount; there is none of it"),
});
type Parameters = z.output<typeof parameters>;

const field = { of: "pod", field: "volumes" } as const;

/** The pod's volumes, the first of them from a claim. */
const withClaim = ({ workload }: Place, claimName: string) =>
  Object.keys(workload.volumes).map((name, index) => ({
    name,
    ...(index === 0 ? { persistentVolumeClaim: { claimName } } : { emptyDir: {} }),
  }));

const change: WorkloadChange<Parameters> = {
  edits: ({ parameters: { claim } }, place) => [{ ...field, wrong: withClaim(place, claim) }],
  endsOldPods: true,
  pods: "unplaced",
};

const claimOf = ({ parameters: given }: RemedyContext): string => parameters.parse(given ?? {}).claim;

const makeClaim: Remedy = {
  name: "make-claim",
  doc: "makes a claim of that name: the pods start, on a volume that nothing declares",
  commands: (context) => {
    const spec = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } };
    const metadata = { name: claimOf(context), namespace: context.namespace };
    const claim = { apiVersion: "v1", kind: "PersistentVolumeClaim", metadata, spec };
    return [`echo '${JSON.stringify(claim)}' | ${kubectl(context)} apply -f -`, ...rollOut(context)];
  },
};

const otherClaim: Remedy = {
  name: "other-claim",
  doc: "names another claim, which there is not either",
  commands: (context) => {
    const place = targetOf(context.environment, context.target);
    const volumes = place ? withClaim(place, `${claimOf(context)}-0`) : [];
    return setOther("", field, volumes).commands(context);
  },
};

/** The pods' volume comes from a claim that there is not. */
export default defineFault({
  name: "pvc-claim-mismatch",
  title: "Claim of another name",
  description: "pvc-claim-mismatch: the service's pods wait for their volume",
  parameters,
  symptom: "ready",
  recovery: ["ready", "serving"],
  rightActions: [],
  ...offeredWorkloads(({ name, workload }) => {
    const volumes = Object.values(workload.volumes);
    return volumes.length > 0 && volumes.every(({ type }) => type === "emptyDir")
      ? undefined
      : `${name} has no volumes, or others than empty directories`;
  }),
  ...workloadChange<typeof parameters>(change),
  truth: (context) => ({
    ...truthOfChange(change, context),
    mechanism: "storage-unavailable",
    explanation: `pods of ${context.target} mount the claim ${context.parameters.claim}, which does not exist, so they are not placed on any node`,
    systemLevel: "Virtualization",
    faultType: "Misconfiguration",
  }),
  repairs: [undoRollout, setBack([field])],
  shortcuts: [restartEverything, deletePods, otherClaim, makeClaim, anotherDeployment],
  // Both restart it, and new pods wait for the claim too.
  notShortcuts: ["delete-service", "stop-load"],
  runbook: revertConfiguration,
});
