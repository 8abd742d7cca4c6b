import {
  affectedObjects,
  type CauseLabels,
  defineFault,
  deletePods,
  type FaultContext,
  kinds,
  kubectl,
  manifestOf,
  noSuchObject,
  offeredBehindServices,
  type Remedy,
  restartEverything,
  serviceOf,
  type TruthContext,
  withObject,
  workloadPath,
  z,
} from "@microremed/catalogue";
import { createAgain } from "./create-again.ts";
import { missingService } from "./evidence.ts";

const nameOf = (context: TruthContext): string => serviceOf(context)?.name ?? "";

async function status(context: FaultContext) {
  const { cluster, namespace } = context;
  const isGone = (await cluster.get(kinds.service, namespace, nameOf(context))) === undefined;
  const note = `there is ${isGone ? "no" : "a"} Service ${nameOf(context)}`;
  return { present: isGone, injected: isGone, pods: [], expiresAt: null, note };
}

/** The Service as it is declared. */
function declared(context: TruthContext & Pick<FaultContext, "namespace">) {
  const manifest = manifestOf(context.environment, kinds.service, nameOf(context));
  if (!manifest) throw new Error(`${context.environment.name} has no Service for ${context.target}`);
  return { ...manifest, metadata: { ...manifest.metadata, namespace: context.namespace } };
}

const recreate: Remedy = {
  name: "recreate",
  doc: "the expert's fix: creates the Service again as it was",
  commands: (context) => withObject(context, "create", declared(context)),
};

const apply: Remedy = {
  name: "apply",
  doc: "applies the Service's manifest",
  commands: (context) => withObject(context, "apply", declared(context)),
};

const otherName: Remedy = {
  name: "other-name",
  doc: "creates the Service under a name that no program dials",
  commands: (context) => {
    const { metadata, ...rest } = declared(context);
    const service = { ...rest, metadata: { ...metadata, name: `${metadata.name}-v2` } };
    return withObject(context, "apply", service);
  },
};

const redeploy: Remedy = {
  name: "restart-workload",
  doc: "restarts the workload that the Service led to",
  commands: (context) => [`${kubectl(context)} rollout restart ${workloadPath(context)}`],
};

const labels: CauseLabels = {
  mechanism: "wrong-route",
  systemLevel: "Virtualization",
  faultType: "Operation Error",
};

/** A Service is deleted: its name resolves no more. */
export default defineFault({
  name: "service-deleted",
  title: "Deleted Service",
  description: "service-deleted: the service cannot be reached by its name",
  parameters: z.object({}),
  symptom: "reach",
  recovery: ["ready", "serving", "reach"],
  rightActions: [],
  ...offeredBehindServices(),
  inject: async (context) => {
    if (!(await status(context)).present)
      await context.cluster.delete(kinds.service, context.namespace, nameOf(context));
  },
  status,
  remove: async (context) => {
    if ((await status(context)).present) await context.cluster.create(declared(context));
  },
  truth: (context) => ({
    objects: [
      {
        kind: "Service",
        name: nameOf(context),
        field: "",
        wrong: noSuchObject,
        right: "as it was declared",
      },
    ],
    affected: [{ kind: "Service", name: nameOf(context) }, ...affectedObjects(context)],
    ...labels,
    explanation: `there is no Service ${nameOf(context)}, so its name has no address`,
  }),
  repairs: [recreate, apply],
  runbook: createAgain,
  evidence: missingService(labels),
  shortcuts: [otherName, redeploy, restartEverything, deletePods],
  // There is none to delete.
  notShortcuts: ["delete-service"],
});
