import {
  defineNoise,
  kinds,
  labelPods,
  relabelledService,
  rollableDeployments,
  serviceOf,
  untilRolledOut,
} from "@microremed/catalogue";

export default defineNoise({
  name: "selector-relabelled",
  title: "A Service that asks for a new label",
  description:
    "The pods of a workload got one more label, and then its Service asks for it too. All of its pods have it: the Service leads where it led.",
  ...relabelledService,
  targets: (environment) =>
    rollableDeployments(environment).filter((target) => serviceOf({ environment, target }) !== undefined),
  async place(context) {
    const { cluster, namespace } = context;
    const { label, value } = context.parameters;
    await labelPods(context);
    await untilRolledOut(context);
    const body = { spec: { selector: { [label]: value } } };
    await cluster.patch(kinds.service, namespace, serviceOf(context)?.name ?? "", { type: "merge", body });
  },
});
