import { defineFault, flagFault } from "@microremed/catalogue";

/** A flag makes the payment service refuse what it is asked to charge. */
export default defineFault({
  name: "flag-payment-failure",
  title: "Payments refused by a feature flag",
  description: "flag-payment-failure: requests to the service fail",
  symptom: "requests",
  recovery: ["ready", "serving", "requests"],
  ...flagFault({
    flag: "paymentFailure",
    variant: "100%",
    program: "payment",
    effect: "every charge ends in an error and no order can be placed",
  }),
  strengths: [{ name: "half", parameters: { variant: "50%" } }],
});
