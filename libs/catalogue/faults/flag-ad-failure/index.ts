import { defineFault, flagFault } from "@microremed/catalogue";

/** A flag makes the service of ads refuse one request of ten. */
export default defineFault({
  name: "flag-ad-failure",
  title: "Ads refused by a feature flag",
  description: "flag-ad-failure: requests to the service fail",
  symptom: "requests",
  recovery: ["ready", "serving", "requests"],
  ...flagFault({
    flag: "adFailure",
    variant: "on",
    program: "ad",
    effect: "one request for ads of ten ends in an error",
  }),
});
