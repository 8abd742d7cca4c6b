import { defineFault, flagFault } from "@microremed/catalogue";

/** A flag makes the users of the load generator ask for the home page again and again. */
export default defineFault({
  name: "flag-load-flood",
  title: "A flood of requests by a feature flag",
  description: "flag-load-flood: requests take long",
  symptom: "requests",
  recovery: ["ready", "serving", "requests"],
  ...flagFault({
    flag: "loadGeneratorFloodHomepage",
    variant: "on",
    program: "frontend",
    effect: "the load generator asks for the home page hundreds of times a second",
    faultType: "Operation Error",
    mechanism: "resources-taken",
  }),
});
