import { defineFault, flagFault } from "@microremed/catalogue";

/** A flag makes the catalogue of products fail for one of them. */
export default defineFault({
  name: "flag-catalog-failure",
  title: "A product that cannot be read, by a feature flag",
  description: "flag-catalog-failure: requests to the service fail",
  symptom: "requests",
  recovery: ["ready", "serving", "requests"],
  ...flagFault({
    flag: "productCatalogFailure",
    variant: "on",
    program: "product-catalog",
    effect: "every request for one of ten products ends in an error",
  }),
});
