import {
  addressVariable,
  addressVariables,
  defineFault,
  deletePods,
  noAddressVariable,
  offeredWorkloads,
  plainVariables,
  restartEverything,
  workloadFault,
  z,
} from "@microremed/catalogue";
import { removedVariable } from "./evidence.ts";
import { emptyVariable } from "./remedies.ts";

const parameters = z.object({
  variable: z
    .string()
    .optional()
    .describe("the one that is removed; default: the first with the address of what the program needs"),
});

/** A variable that holds the address of what a program needs is not set any more. */
export default defineFault({
  name: "env-variable-missing",
  title: "Missing environment variable",
  description: "env-variable-missing: the service does not reach what it depends on",
  withoutDraw: "what is wrong is that nothing is there",
  withoutLookalike: "which variable a program can do without is in no manifest",
  symptom: "requests",
  recovery: ["ready", "serving", "requests"],
  ...offeredWorkloads((place) => {
    if (addressVariables(place).length === 0) return noAddressVariable(place);
    return (plainVariables(place)?.length ?? 0) > 1 ? undefined : `${place.name} has no other variable`;
  }),
  ...workloadFault({
    parameters,
    edits: [
      {
        of: "container",
        field: "env",
        wrong: ({ parameters: { variable } }, place) => {
          const { name } = addressVariable(place, variable);
          return plainVariables(place)?.filter((one) => one.name !== name);
        },
        cause: ({ parameters: { variable } }, place) => {
          const { name, value } = addressVariable(place, variable);
          return { path: `[name=${name}]`, wrong: "none", right: value };
        },
      },
    ],
    explanation: (context) =>
      `the program of ${context.target} finds no address in a variable that is not set any more, so these calls fail`,
    mechanism: "configuration-missing",
    systemLevel: "Application",
    faultType: "Misconfiguration",
    evidence: removedVariable,
  }),
  shortcuts: [emptyVariable, restartEverything, deletePods],
});
