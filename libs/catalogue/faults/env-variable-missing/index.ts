import {
  addressVariable,
  addressVariables,
  type CauseLabels,
  defineFault,
  deletePods,
  offeredWorkloads,
  plainVariables,
  restartEverything,
  revertConfiguration,
  setBack,
  truthOfChange,
  truthOfVariable,
  undoRollout,
  type WorkloadChange,
  workloadChange,
  z,
} from "@microremed/catalogue";
import { removedVariable } from "./evidence.ts";
import { emptyVariable } from "./remedies.ts";

const labels: CauseLabels = {
  mechanism: "configuration-missing",
  systemLevel: "Application",
  faultType: "Misconfiguration",
};

const parameters = z.object({
  variable: z
    .string()
    .optional()
    .describe("the one that is removed; default: the first with the address of what the program needs"),
});

const field = { of: "container", field: "env" } as const;

const change: WorkloadChange<z.output<typeof parameters>> = {
  edits: ({ parameters: { variable } }, place) => {
    const { name } = addressVariable(place, variable);
    return [{ ...field, wrong: plainVariables(place)?.filter((one) => one.name !== name) }];
  },
};

/** A variable that holds the address of what a program needs is not set any more. */
export default defineFault({
  name: "env-variable-missing",
  title: "Missing environment variable",
  description: "env-variable-missing: the service does not reach what it depends on",
  parameters,
  symptom: "requests",
  recovery: ["ready", "serving", "requests"],
  rightActions: [],
  ...offeredWorkloads((place) => {
    if (addressVariables(place).length === 0) return `${place.name} takes no address from a variable`;
    return (plainVariables(place)?.length ?? 0) > 1 ? undefined : `${place.name} has no other variable`;
  }),
  ...workloadChange<typeof parameters>(change),
  truth: (context) => ({
    ...truthOfVariable(truthOfChange(change, context), context, (place) => {
      const { name, value } = addressVariable(place, context.parameters.variable);
      return { name, part: "", wrong: "none", right: value };
    }),
    ...labels,
    explanation: `the program of ${context.target} finds no address in a variable that is not set any more, so these calls fail`,
  }),
  repairs: [undoRollout, setBack([field])],
  shortcuts: [emptyVariable, restartEverything, deletePods],
  runbook: revertConfiguration,
  evidence: removedVariable(labels),
});
