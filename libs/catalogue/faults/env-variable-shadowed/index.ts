import {
  addressVariable,
  addressVariables,
  containerPath,
  defineFault,
  deletePods,
  jsonPatch,
  offeredWorkloads,
  plainVariables,
  type Remedy,
  restartEverything,
  rollOut,
  workloadFault,
  z,
} from "@microremed/catalogue";

const parameters = z.object({
  variable: z
    .string()
    .optional()
    .describe("the one that is set twice; default: the first with the address of what the program needs"),
  host: z
    .string()
    .default("localhost")
    .describe("in the second value, which counts; the port is the right one"),
});

/** The address with another host. */
const secondValue = (address: string, host: string): string =>
  [host, ...address.split(":").slice(1)].join(":");

const firstEntry: Remedy = {
  name: "first-entry",
  doc: "gives the first of the two entries a name with its domain; the second still counts",
  commands: (context) => {
    const index = Object.keys(context.workload.containers[0]?.env ?? {}).length - 1;
    const path = `${containerPath(context)}/env/${Math.max(0, index)}/value`;
    return [jsonPatch(context, [{ op: "replace", path, value: "127.0.0.1:80" }]), ...rollOut(context)];
  },
};

/** A variable is set twice, and the second value, which counts, is wrong. */
export default defineFault({
  name: "env-variable-shadowed",
  title: "Environment variable set twice",
  description: "env-variable-shadowed: the service does not reach what it depends on",
  symptom: "requests",
  recovery: ["ready", "serving", "requests"],
  ...offeredWorkloads((place) =>
    addressVariables(place).length === 0 ? `${place.name} takes no address from a variable` : undefined,
  ),
  ...workloadFault({
    parameters,
    edits: [
      {
        of: "container",
        field: "env",
        wrong: ({ parameters: { variable, host } }, place) => {
          const { name, value } = addressVariable(place, variable);
          return [...(plainVariables(place) ?? []), { name, value: secondValue(value, host) }];
        },
        cause: ({ parameters: { variable, host } }, place) => {
          const { name, value } = addressVariable(place, variable);
          return { path: `[name=${name}].value`, wrong: secondValue(value, host), right: value };
        },
      },
    ],
    explanation: (context) =>
      `a variable of ${context.target} is set twice, and its second value leads to ${context.parameters.host}, where what it needs is not`,
    mechanism: "wrong-address",
    systemLevel: "Application",
    faultType: "Misconfiguration",
  }),
  shortcuts: [firstEntry, restartEverything, deletePods],
});
