import {
  anotherDeployment,
  defineFault,
  deletePods,
  drawnName,
  kubectl,
  objectName,
  offeredWorkloads,
  type Place,
  parametersOf,
  type Remedy,
  type RemedyContext,
  restartEverything,
  restartingShortcuts,
  rightValue,
  rollOut,
  setOther,
  shellCall,
  type TruthContext,
  templateEvidence,
  type WorkloadSpec,
  workloadFault,
  z,
} from "@microremed/catalogue";

const parameters = z.object({
  claim: objectName
    .default("data-logs")
    .describe("name of the claim that the pods mount; no claim has this name"),
});

const field = { of: "pod", field: "volumes" } as const;

/** The volume that gets another claim: the first that has one, else the first empty directory. Undefined: there is none. */
function volumeOf({ volumes }: WorkloadSpec): string | undefined {
  const entries = Object.entries(volumes);
  const claimed = entries.find(([, volume]) => volume.type === "claim" && !volume.perPod);
  const areEmpty = entries.every(([, { type }]) => type === "emptyDir");
  return (claimed ?? (areEmpty ? entries[0] : undefined))?.[0];
}

/** The pod's volumes as they are declared, one of them from a claim of this name. */
function withClaim({ environment }: Pick<TruthContext, "environment">, place: Place, claimName: string) {
  const changed = volumeOf(place.workload);
  const { kind } = place.workload;
  const path = "/spec/template/spec/volumes";
  const declared = z.array(Volume).parse(rightValue(environment, { kind: { kind }, name: place.name, path }));
  return declared.map((volume) =>
    volume.name === changed ? { name: volume.name, persistentVolumeClaim: { claimName } } : volume,
  );
}

const Volume = z.looseObject({ name: z.string() });

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
    withClaim(context, place, `${claimOf(context)}-0`),
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
  drawn: { claim: drawnName("data", "logs", "claim", "pvc", "store") },
  lookalikes: ["claim-mounted"],
  symptom: "ready",
  recovery: ["ready", "serving"],
  ...offeredWorkloads(({ name, workload }) =>
    volumeOf(workload) === undefined
      ? `${name} has no volume from a claim of its own, and no empty directories alone`
      : undefined,
  ),
  ...workloadFault({
    parameters,
    edits: [{ ...field, wrong: (context, place) => withClaim(context, place, context.parameters.claim) }],
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
