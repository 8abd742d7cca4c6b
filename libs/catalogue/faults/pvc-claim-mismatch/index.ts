import {
  anotherDeployment,
  defineFault,
  deletePods,
  kubectl,
  offeredWorkloads,
  type Place,
  parametersOf,
  type Remedy,
  type RemedyContext,
  restartEverything,
  restartingShortcuts,
  rollOut,
  setOther,
  shellCall,
  templateEvidence,
  workloadFault,
  z,
} from "@microremed/catalogue";

const parameters = z.object({
  claim: z
    .string()
    .regex(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/)
    .default("data-logs")
    .describe("name of the claim that the pods mount; no claim has this name"),
});

const field = { of: "pod", field: "volumes" } as const;

/** The pod's volumes, the first of them from a claim. */
const withClaim = ({ workload }: Place, claimName: string) =>
  Object.keys(workload.volumes).map((name, index) => ({
    name,
    ...(index === 0 ? { persistentVolumeClaim: { claimName } } : { emptyDir: {} }),
  }));

const claimOf = (context: RemedyContext): string => parametersOf(parameters, context).claim;

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
  ...setOther("names another claim, which does not exist either", field, (context, place) =>
    withClaim(place, `${claimOf(context)}-0`),
  ),
  name: "other-claim",
};

/** A line for each claim: its name. */
const listClaims = shellCall(`kubectl get pvc -o jsonpath='{range .items[*]}{.metadata.name}{"\\n"}{end}'`);

const Volumes = z.array(z.object({ persistentVolumeClaim: z.object({ claimName: z.string() }).optional() }));
const claimsIn = (volumes: unknown): string[] =>
  (Volumes.safeParse(volumes).data ?? []).flatMap(
    ({ persistentVolumeClaim: claim }) => claim?.claimName ?? [],
  );

/** The pods' volume comes from a claim that does not exist. */
export default defineFault({
  name: "pvc-claim-mismatch",
  title: "Claim of another name",
  description: "pvc-claim-mismatch: the service's pods wait for their volume",
  symptom: "ready",
  recovery: ["ready", "serving"],
  ...offeredWorkloads(({ name, workload }) => {
    const volumes = Object.values(workload.volumes);
    return volumes.length > 0 && volumes.every(({ type }) => type === "emptyDir")
      ? undefined
      : `${name} has no volumes, or others than empty directories`;
  }),
  ...workloadFault({
    parameters,
    edits: [{ ...field, wrong: ({ parameters: { claim } }, place) => withClaim(place, claim) }],
    endsOldPods: true,
    pods: "unplaced",
    explanation: (context) =>
      `pods of ${context.target} mount the claim ${context.parameters.claim}, which does not exist, so they are not placed on any node`,
    mechanism: "storage-unavailable",
    systemLevel: "Virtualization",
    faultType: "Misconfiguration",
    evidence: (labels) =>
      templateEvidence(
        labels,
        field,
        ({ is, answers: [listed = ""] }) => claimsIn(is).some((one) => !listed.split("\n").includes(one)),
        [listClaims],
      ),
  }),
  shortcuts: [restartEverything, deletePods, otherClaim, makeClaim, anotherDeployment],
  notShortcuts: restartingShortcuts,
});
