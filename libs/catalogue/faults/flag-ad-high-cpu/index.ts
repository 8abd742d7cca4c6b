import { defineFault, flagFault } from "@microremed/catalogue";

/** A flag starts threads in the service of ads that compute for nothing. */
export default defineFault({
  name: "flag-ad-high-cpu",
  title: "CPU burnt by a feature flag",
  description: "flag-ad-high-cpu: the service uses a lot of CPU",
  symptom: "cpu",
  recovery: ["ready", "serving", "cpu"],
  ...flagFault({
    flag: "adHighCpu",
    variant: "on",
    program: "ad",
    effect: "threads of its own use several cores all the time",
  }),
});
