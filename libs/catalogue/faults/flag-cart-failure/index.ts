import { defineFault, flagFault } from "@microremed/catalogue";

/** A flag makes the service of carts use a store that does not exist when it empties one. */
export default defineFault({
  name: "flag-cart-failure",
  title: "Carts that cannot be emptied, by a feature flag",
  description: "flag-cart-failure: requests to the service fail",
  symptom: "requests",
  recovery: ["ready", "serving", "requests"],
  ...flagFault({
    flag: "cartFailure",
    variant: "on",
    program: "cart",
    effect: "every request to empty a cart ends in an error",
  }),
});
