import {
  addressVariable,
  addressVariables,
  defineFault,
  deletePods,
  offeredWorkloads,
  type Place,
  plainVariables,
  restartEverything,
  revertConfiguration,
  setBack,
  truthOfChange,
  undoRollout,
  type WorkloadChange,
  workloadChange,
  z,
} from "@microremed/catalogue";
import { otherPort } from "./remedies.ts";

const parameters = z.object({
  variable: z
    .string()
    .optional()
    .describe("the one that is changed; default: the first with the address of what the program needs"),
  offset: z.int().min(1).max(1000).default(2).describe("added to the right port"),
});

const field = { of: "container", field: "env" } as const;

function withPort(place: Place, variable: string | undefined, offset: number) {
  const { name, value } = addressVariable(place, variable);
  const wrong = value.replace(/:(\d+)/, (_, port: string) => `:${Number(port) + offset}`);
  return plainVariables(place)?.map((one) => (one.name === name ? { name, value: wrong } : one));
}

const change: WorkloadChange<z.output<typeof parameters>> = {
  edits: ({ parameters: { variable, offset } }, place) => [
    { ...field, wrong: withPort(place, variable, offset) },
  ],
};

/** A program is configured with a wrong port of what it needs. */
export default defineFault({
  name: "dependency-port-wrong",
  title: "Wrong port of a dependency",
  description: "dependency-port-wrong: the service does not reach what it depends on",
  parameters,
  symptom: "requests",
  recovery: ["ready", "serving", "requests"],
  rightActions: [],
  ...offeredWorkloads((place) =>
    addressVariables(place).some(({ value }) => /:\d+/.test(value))
      ? undefined
      : `${place.name} takes no address with a port from a variable`,
  ),
  ...workloadChange<typeof parameters>(change),
  truth: (context) => ({
    ...truthOfChange(change, context),
    mechanism: "wrong-address",
    explanation: `a variable of ${context.target} has a port at which what it needs does not listen`,
    systemLevel: "Application",
    faultType: "Misconfiguration",
  }),
  repairs: [undoRollout, setBack([field])],
  shortcuts: [otherPort, restartEverything, deletePods],
  runbook: revertConfiguration,
});
