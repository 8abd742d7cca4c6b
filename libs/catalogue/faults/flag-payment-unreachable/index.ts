import { defineFault, flagFault } from "@microremed/catalogue";

/** A flag gives the checkout an address of payment at which nothing is. */
export default defineFault({
  name: "flag-payment-unreachable",
  title: "A wrong address of payment, by a feature flag",
  description: "flag-payment-unreachable: requests of the service fail",
  symptom: "requests",
  recovery: ["ready", "serving", "requests"],
  ...flagFault({
    flag: "paymentUnreachable",
    variant: "on",
    program: "checkout",
    effect: "it calls payment at an address at which nothing is and no order can be placed",
  }),
});
