import { defineFault, switchFault } from "@microremed/catalogue";

/** A variable from a ConfigMap switches on a part of a program that is not finished. */
export default defineFault({
  name: "feature-flag-latent-bug",
  title: "Unfinished code switched on",
  description: "feature-flag-latent-bug: requests to the service fail",
  symptom: "requests",
  recovery: ["ready", "serving", "requests"],
  ...switchFault({
    variable: "NEXT_QUERY_PATH",
    effect: "a part of the program runs that is not finished, and fails its requests",
  }),
});
