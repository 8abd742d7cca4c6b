import { defineFault, flagFault } from "@microremed/catalogue";

/** A flag makes the service of ads collect garbage again and again. */
export default defineFault({
  name: "flag-ad-manual-gc",
  title: "Garbage collections by a feature flag",
  description: "flag-ad-manual-gc: requests to the service take long",
  symptom: "requests",
  recovery: ["ready", "serving", "requests"],
  ...flagFault({
    flag: "adManualGc",
    variant: "on",
    program: "ad",
    effect: "its requests wait for full garbage collections",
  }),
});
