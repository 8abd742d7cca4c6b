import { defineFault, flagFault } from "@microremed/catalogue";

/** A flag switches on a cache of recommendations that grows until the memory is used up. */
export default defineFault({
  name: "flag-recommendation-cache",
  title: "A cache that only grows, by a feature flag",
  description: "flag-recommendation-cache: the service restarts again and again",
  symptom: "requests",
  recovery: ["ready", "serving", "requests", "memory"],
  ...flagFault({
    flag: "recommendationCacheFailure",
    variant: "on",
    program: "recommendation",
    effect: "its cache grows with each request until the container is killed at its memory limit",
    piles: true,
  }),
});
