import {
  defineNoise,
  drawnName,
  drawnWord,
  labelPods,
  onDeployment,
  podLabel,
  z,
} from "@microremed/catalogue";

export default defineNoise({
  name: "pods-labelled",
  title: "Pods with one more label",
  description: "A Deployment was rolled out whose pods have one more label. Nothing selects by it.",
  parameters: z.object(podLabel),
  changes: ["spec.template.metadata.labels"],
  drawn: { label: drawnName("release", "track", "stage", "version", "role"), value: drawnWord },
  ...onDeployment,
  place: labelPods,
});
