import { defineFault, flagFault } from "@microremed/catalogue";

/** A flag makes the pictures of a page come late. */
export default defineFault({
  name: "flag-image-slow",
  title: "Slow pictures by a feature flag",
  description: "flag-image-slow: requests take long",
  symptom: "requests",
  recovery: ["ready", "serving", "requests"],
  ...flagFault({
    flag: "imageSlowLoad",
    variant: "10sec",
    program: "frontend-proxy",
    effect: "every picture comes ten seconds late",
  }),
  strengths: [{ name: "five seconds", parameters: { variant: "5sec" } }],
});
