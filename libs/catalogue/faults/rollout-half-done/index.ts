import {
  anotherDeployment,
  awaitRollout,
  defineFault,
  deletePods,
  type FaultContext,
  faultyVersion,
  faultyVersions,
  imageEvidence,
  imageField,
  kubectl,
  offeredWorkloads,
  podsOf,
  type Remedy,
  type RemedyContext,
  releaseOf,
  setBack,
  targetOf,
  type WithParameters,
  waitFor,
  workloadFault,
  workloadPath,
  type z,
} from "@microremed/catalogue";

const { parameters, strengths, edit } = releaseOf("errors");
type Parameters = z.output<typeof parameters>;

const pausedField = { of: "workload", field: "paused" } as const;

const labels = {
  mechanism: "faulty-code",
  systemLevel: "Application",
  faultType: "Misconfiguration",
} as const;
const change = {
  parameters,
  explanation: ({ target }: { readonly target: string }) =>
    `the rollout of a version of ${target} that fails some of its requests was stopped half-way, so the Service leads to pods of both versions`,
  pods: "started",
  ...labels,
} as const;
const rolling = workloadFault({ ...change, edits: [edit] });
const stopped = workloadFault({ ...change, edits: [edit, { ...pausedField, wrong: () => true }] });

/** Cluster time, ms: the controller makes the new pods at once. */
const madeWithinMs = 10_000;

/** Waits until the first new pods are made; none of the old ones goes before they are ready. */
async function untilMade(context: FaultContext & WithParameters<Parameters>): Promise<void> {
  const place = targetOf(context.environment, context.target);
  const image = place && faultyVersion(place.container, "errors", context.parameters.release);
  await waitFor(
    {
      clock: context.cluster.clock,
      what: `a pod of the new version of ${context.target}`,
      timeoutMs: madeWithinMs,
      intervalMs: 200,
      ...(context.signal && { signal: context.signal }),
    },
    async () => {
      const made = (await podsOf(context)).filter(({ spec }) =>
        spec?.containers?.some((one) => one.name === place?.container.name && one.image === image),
      );
      return made.length > 0 ? true : undefined;
    },
  );
}

const resumed = (context: RemedyContext): string =>
  `${kubectl(context)} rollout resume ${workloadPath(context)}`;

const resume: Remedy = {
  name: "resume",
  doc: "goes on, so that all pods have the bad version",
  commands: (context) => [resumed(context), awaitRollout(context)],
};

const resumeAndUndo: Remedy = {
  name: "resume-and-undo",
  doc: "the expert's fix: goes on, and at once back to the revision before",
  commands: (context) => [
    resumed(context),
    `${kubectl(context)} rollout undo ${workloadPath(context)}`,
    awaitRollout(context),
  ],
};

/** The rollout of a version with a defect was paused half-way: some requests meet it, the others the old version. */
export default defineFault({
  name: "rollout-half-done",
  title: "Half a rollout of a bad version",
  description: "rollout-half-done: some requests to the service fail since its last release",
  strengths,
  withoutDraw: "the versions with the defect are those of the model",
  withoutTwin:
    "a Deployment that is paused takes no change: a noise would keep a fault on it from acting, and a repair from helping",
  symptom: "requests",
  recovery: ["ready", "serving", "requests"],
  ...offeredWorkloads(({ name, workload, container }) => {
    if (workload.kind !== "Deployment") return `${name} is no Deployment, whose rollouts can be paused`;
    return faultyVersions(container, "errors").length > 0
      ? undefined
      : `no version of ${name} with a defect is known`;
  }),
  ...stopped,
  async inject(context) {
    await rolling.inject(context);
    await untilMade(context);
    await stopped.inject(context);
  },
  repairs: [resumeAndUndo, setBack([imageField, pausedField])],
  shortcuts: [resume, deletePods, anotherDeployment],
  // A paused rollout cannot be restarted.
  notShortcuts: ["delete-service", "stop-load"],
  evidence: imageEvidence(labels, { image: "runs", paused: true }),
  runbook: {
    observe: ({ namespace }) =>
      `kubectl -n ${namespace} get deployments -o jsonpath='{range .items[*]}{.metadata.name} {.spec.paused}{"\\n"}{end}'`,
    act: ({ namespace, target }) => ({
      title: `Take the rollout of ${target} back`,
      commands: [
        `kubectl -n ${namespace} rollout resume deployment/${target}`,
        `kubectl -n ${namespace} rollout undo deployment/${target}`,
        `kubectl -n ${namespace} rollout status deployment/${target} --timeout=20s || echo "still rolling out"`,
      ],
    }),
  },
});
