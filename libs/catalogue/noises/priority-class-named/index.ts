import { defineNoise, onDeployment, patchTemplate, z } from "@microremed/catalogue";

/** Every cluster has them. */
const classes = ["system-cluster-critical", "system-node-critical"] as const;

const parameters = z.object({
  priorityClass: z.enum(classes).default("system-cluster-critical").describe("of the pods"),
});

export default defineNoise({
  name: "priority-class-named",
  title: "Pods that are more important than others",
  description:
    "A Deployment was rolled out whose pods have one of the cluster's own priority classes: they are placed before others, and the last to go where room is short. Here there is room.",
  parameters,
  changes: ["spec.template.spec.priorityClassName"],
  drawn: { priorityClass: (rng) => rng.pick(classes) },
  ...onDeployment,
  place: (context) => patchTemplate(context, { priorityClassName: context.parameters.priorityClass }),
});
