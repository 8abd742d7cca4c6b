import { defineFault, switchFault } from "@microremed/catalogue";

/** A variable from a ConfigMap switches on a part of a program that answers without an error, but not with what was asked for. */
export default defineFault({
  name: "feature-flag-wrong-answers",
  title: "Wrong answers switched on",
  description: "feature-flag-wrong-answers: the service's answers have not what was asked for",
  symptom: "answers",
  recovery: ["ready", "serving", "answers", "requests"],
  ...switchFault({
    variable: "NEXT_DATA_MODEL",
    effect: "its answers, without an error, have not what was asked for",
  }),
});
