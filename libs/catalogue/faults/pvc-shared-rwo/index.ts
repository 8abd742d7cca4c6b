import {
  anotherDeployment,
  awaitRollout,
  declaredDeployment,
  defineFault,
  deletePods,
  drawnName,
  type FaultContext,
  isRolledOut,
  keepsData,
  kinds,
  kubectl,
  objectName,
  offeredWorkloads,
  type Place,
  parametersOf,
  type Remedy,
  restartEverything,
  restartingShortcuts,
  rightValue,
  shellCall,
  type TruthContext,
  targetName,
  templateEvidence,
  type WithParameters,
  waitFor,
  workloadFault,
  workloadPath,
  z,
} from "@microremed/catalogue";

const parameters = z.object({
  claim: objectName.default("shared-data").describe("name of the claim that all replicas mount"),
  replicas: z.int().min(2).max(4).default(2).describe("how many pods want the claim that one may have"),
});
type Parameters = z.output<typeof parameters>;
type Context = FaultContext & WithParameters<Parameters>;

const volumes = { of: "pod", field: "volumes" } as const;
const mounts = { of: "container", field: "volumeMounts" } as const;
const Named = z.array(z.looseObject({ name: z.string() })).default([]);
/** No program of an environment has anything there. */
const mountPath = "/mnt/shared";
/** Cluster time, ms: the pods that mount the claim end first. */
const releasedWithinMs = 120_000;

/** What the environment declares in a list of the pod's template. */
function declaredList({ environment }: Pick<TruthContext, "environment">, place: Place, path: string) {
  const { name, workload } = place;
  return Named.parse(rightValue(environment, { kind: { kind: workload.kind }, name, path }));
}

const withVolume = (context: TruthContext & WithParameters<Parameters>, place: Place) => [
  ...declaredList(context, place, "/spec/template/spec/volumes"),
  { name: "shared", persistentVolumeClaim: { claimName: context.parameters.claim } },
];

function withMount(context: TruthContext, place: Place) {
  const index = place.workload.containers.indexOf(place.container);
  const path = `/spec/template/spec/containers/${index}/volumeMounts`;
  return [...declaredList(context, place, path), { name: "shared", mountPath }];
}

/** The Deployment with as many replicas as are to want the claim. They are there before: a change log shows the claim alone. */
function withReplicas(context: TruthContext & WithParameters<Parameters>) {
  const { replicas } = context.parameters;
  const { spec, ...deployment } = declaredDeployment(context);
  return { ...deployment, spec: { ...(spec as object), replicas } };
}

const makeClaim = ({ cluster, namespace, parameters: { claim } }: Context) =>
  cluster.apply({
    ...kinds.persistentVolumeClaim,
    metadata: { name: claim, namespace },
    spec: { accessModes: ["ReadWriteOncePod"], resources: { requests: { storage: "1Gi" } } },
  });

/** A claim goes when no pod mounts it any more. */
async function removeClaim({ cluster, namespace, parameters: { claim }, signal }: Context): Promise<void> {
  const kind = kinds.persistentVolumeClaim;
  if ((await cluster.get(kind, namespace, claim)) === undefined) return;
  await cluster.delete(kind, namespace, claim);
  await waitFor(
    {
      clock: cluster.clock,
      what: `the claim ${claim} to go`,
      timeoutMs: releasedWithinMs,
      intervalMs: 1_000,
      ...(signal && { signal }),
    },
    async () => ((await cluster.get(kind, namespace, claim)) === undefined ? true : undefined),
  );
}

const oneReplica: Remedy = {
  name: "one-replica",
  doc: "scales to one replica, whose next rollout waits for the claim of the present pod for ever",
  commands: (context) => [
    `${kubectl(context)} scale ${workloadPath(context)} --replicas=1`,
    awaitRollout(context),
  ],
};

const moreReplicas: Remedy = {
  name: "more-replicas",
  doc: "asks for one replica more, which waits for the claim too",
  commands: (context) => [
    `${kubectl(context)} scale ${workloadPath(context)} --replicas=${parametersOf(parameters, context).replicas + 1}`,
  ],
};

/** A line for each claim: its name and its access modes. */
const listClaims = shellCall(
  `kubectl get pvc -o jsonpath='{range .items[*]}{.metadata.name} {.spec.accessModes}{"\\n"}{end}'`,
);
const Volumes = z.array(z.object({ persistentVolumeClaim: z.object({ claimName: z.string() }).optional() }));
const claimsIn = (list: unknown): string[] =>
  (Volumes.safeParse(list).data ?? []).flatMap(({ persistentVolumeClaim: claim }) => claim?.claimName ?? []);

const change = workloadFault({
  parameters,
  edits: [
    { ...volumes, wrong: withVolume },
    { ...mounts, wrong: withMount },
  ],
  // All replicas come at once, however long one takes to start.
  endsOldPods: true,
  pods: "unplaced",
  explanation: ({ target, parameters: { claim, replicas: count } }) =>
    `${count} replicas of ${target} mount the claim ${claim}, which one pod alone may have, so the others are not placed on any node`,
  mechanism: "storage-unavailable",
  systemLevel: "Virtualization",
  faultType: "Misconfiguration",
  evidence: (labels) =>
    templateEvidence(
      labels,
      volumes,
      ({ was, is, answers: [listed = ""] }) =>
        claimsIn(is).some(
          (one) => !claimsIn(was).includes(one) && listed.includes(`${one} ["ReadWriteOncePod"]`),
        ),
      [listClaims],
    ),
});

/** Several replicas mount a claim that only one pod may have. */
export default defineFault({
  name: "pvc-shared-rwo",
  title: "Claim of one pod for several",
  description: "pvc-shared-rwo: some of the service's pods wait for their volume",
  symptom: "ready",
  recovery: ["ready", "serving"],
  ...offeredWorkloads(({ name, workload }, environment) => {
    if (workload.kind !== "Deployment" || workload.replicas !== 1 || workload.isAutoscaled)
      return `${name} is no Deployment of one replica`;
    return keepsData(environment, name) ? `each replica of ${name} keeps data of its own` : undefined;
  }),
  ...change,
  drawn: { claim: drawnName("data", "shared", "claim", "store", "uploads") },
  strengths: [{ name: "three-replicas", parameters: { replicas: 3 } }],
  setting: (context) => [withReplicas(context)],
  isSettled: (context) => isRolledOut(context, targetName(context)),
  async inject(context) {
    await makeClaim(context);
    await change.inject(context);
  },
  async status(context) {
    const status = await change.status(context);
    const { cluster, namespace } = context;
    const claim = await cluster.get(kinds.persistentVolumeClaim, namespace, context.parameters.claim);
    return { ...status, present: status.present || claim !== undefined };
  },
  async remove(context) {
    await change.remove(context);
    await removeClaim(context);
  },
  truth(context) {
    const { objects, affected, ...rest } = change.truth(context);
    // The mount belongs to it.
    return { ...rest, objects: objects.slice(0, 1), affected };
  },
  shortcuts: [oneReplica, moreReplicas, restartEverything, deletePods, anotherDeployment],
  notShortcuts: restartingShortcuts,
});
