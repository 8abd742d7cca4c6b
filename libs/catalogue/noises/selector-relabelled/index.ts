import {
  defineNoise,
  drawnName,
  drawnWord,
  isRolledOut,
  kinds,
  labelPods,
  podLabel,
  rollableDeployments,
  serviceOf,
  untilRolledOut,
  z,
} from "@microremed/catalogue";

export default defineNoise({
  name: "selector-relabelled",
  title: "A Service that asks for a new label",
  description:
    "The pods of a workload got one more label, and then its Service asks for it too. All of its pods have it: the Service leads where it led.",
  parameters: z.object(podLabel),
  changes: ["spec.selector", "spec.template.metadata.labels"],
  drawn: { label: drawnName("release", "track", "stage", "version", "role"), value: drawnWord },
  targets: (environment) =>
    rollableDeployments(environment).filter((target) => serviceOf({ environment, target }) !== undefined),
  decoys: (place) => [
    { kind: "Service", name: serviceOf(place)?.name ?? place.target },
    { kind: "Deployment", name: place.target },
  ],
  async place(context) {
    const { cluster, namespace } = context;
    const { label, value } = context.parameters;
    await labelPods(context);
    await untilRolledOut(context);
    const body = { spec: { selector: { [label]: value } } };
    await cluster.patch(kinds.service, namespace, serviceOf(context)?.name ?? "", { type: "merge", body });
  },
  async isSettled(context) {
    const name = serviceOf(context)?.name ?? "";
    const service = await context.cluster.get(kinds.service, context.namespace, name);
    const isAsked = service?.spec?.selector?.[context.parameters.label] !== undefined;
    return isAsked && (await isRolledOut(context, context.target));
  },
});
