import {
  affectedObjects,
  awaitRollout,
  changeEvidence,
  containerOf,
  defineFault,
  type FaultContext,
  kinds,
  kubectl,
  offeredWorkloads,
  type RemedyContext,
  replaceStuckPods,
  revertConfiguration,
  selectorText,
  targetOf,
  workloadPath,
  z,
} from "@microremed/catalogue";

const parameters = z.object({
  image: z.string().default("registry.invalid/none:1").describe("an image that cannot be pulled"),
});
type Context = FaultContext & { readonly parameters: z.output<typeof parameters> };

/** The target's workload, its container that is meant, and the kind of its object. */
function placeOf({ environment, target }: Pick<FaultContext, "environment" | "target">) {
  const place = targetOf(environment, target);
  if (!place) throw new Error(`${environment.name} has no workload for ${target}`);
  const kind = place.workload.kind === "StatefulSet" ? kinds.statefulSet : kinds.deployment;
  return { ...place, kind };
}

function setImage(context: Context, image: string): Promise<unknown> {
  const { kind, name, container } = placeOf(context);
  const containers = [{ name: container.name, image }];
  const body = { spec: { template: { spec: { containers } } } };
  return context.cluster.patch(kind, context.namespace, name, { type: "strategic", body });
}

async function status(context: Context) {
  const { cluster, namespace, parameters } = context;
  const { kind, name, workload } = placeOf(context);
  const hasImage = (containers: readonly { readonly image?: string }[] = []): boolean =>
    containers.some(({ image }) => image === parameters.image);
  const found = await cluster.get(kind, namespace, name);
  const present = hasImage(found?.spec?.template?.spec?.containers);
  const labelSelector = selectorText(workload.selector);
  const pods = await cluster.list(kinds.pod, { namespace, labelSelector });
  const hit = pods.flatMap(({ metadata, spec }) => (hasImage(spec?.containers) ? [metadata.name] : []));
  const note = `${name} ${present ? "asks" : "does not ask"} for ${parameters.image}, ${hit.length} of its pods do`;
  return { present, injected: present && hit.length > 0, pods: hit, expiresAt: null, note };
}

const labels = {
  mechanism: "image-unavailable",
  systemLevel: "Virtualization",
  faultType: "Misconfiguration",
} as const;

const afterwards = (context: RemedyContext): string[] => [
  ...replaceStuckPods(context),
  awaitRollout(context),
];

/** A container of the workload gets an image that cannot be pulled. */
export default defineFault({
  name: "wrong-image",
  title: "Wrong image",
  description: "wrong-image: new pods of the service do not start",
  parameters,
  symptom: "ready",
  recovery: ["ready", "serving"],
  rightActions: [],
  ...offeredWorkloads(),
  inject: async (context) => void (await setImage(context, context.parameters.image)),
  status,
  remove: async (context) => {
    if ((await status(context)).present) await setImage(context, placeOf(context).container.image);
  },
  truth: ({ environment, target, parameters: { image } }) => {
    const { name, workload, container } = placeOf({ environment, target });
    const field = `spec.template.spec.containers[name=${container.name}].image`;
    return {
      objects: [{ kind: workload.kind, name, field, wrong: image, right: container.image }],
      affected: affectedObjects({ environment, target }),
      explanation: `the image of ${name} cannot be pulled, so its new pods never start`,
      ...labels,
    };
  },
  // The change log says that a container has another image than before.
  evidence: changeEvidence(
    labels,
    ({ field, was, is }) => /\bcontainers\[[^\]]+\]\.image$/.test(field) && was !== null && is !== null,
  ),
  runbook: revertConfiguration,
  repairs: [
    {
      name: "set-image",
      doc: "sets the image to what it was",
      commands: (context) => [
        `${kubectl(context)} set image ${workloadPath(context)} ${context.container}=${containerOf(context)?.image}`,
        ...afterwards(context),
      ],
    },
    {
      name: "undo",
      doc: "goes back to the revision before the wrong one",
      commands: (context) => [
        `${kubectl(context)} rollout undo ${workloadPath(context)}`,
        ...afterwards(context),
      ],
    },
  ],
  shortcuts: [
    {
      name: "restart",
      doc: "restarts the workload, whose new pods ask for the same image",
      commands: (context) => [
        `${kubectl(context)} rollout restart ${workloadPath(context)}`,
        awaitRollout(context),
      ],
    },
  ],
  // They restart its pods, which does not even hide the symptom.
  notShortcuts: ["delete-service", "stop-load"],
});
