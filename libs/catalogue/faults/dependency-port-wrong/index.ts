import {
  addressVariable,
  addressVariables,
  type CauseLabels,
  changeEvidence,
  defineFault,
  deletePods,
  offeredWorkloads,
  type Place,
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
import { otherPort } from "./remedies.ts";

const labels: CauseLabels = {
  mechanism: "wrong-address",
  systemLevel: "Application",
  faultType: "Misconfiguration",
};

const parameters = z.object({
  variable: z
    .string()
    .optional()
    .describe("the one that is changed; default: the first with the address of what the program needs"),
  offset: z.int().min(1).max(1000).default(2).describe("added to the right port"),
});

type Parameters = z.output<typeof parameters>;

const field = { of: "container", field: "env" } as const;

/** The variable, and its value with the wrong port. */
function moved(place: Place, { variable, offset }: Parameters) {
  const right = addressVariable(place, variable);
  const wrong = right.value.replace(/:(\d+)/, (_, port: string) => `:${Number(port) + offset}`);
  return { ...right, wrong };
}

const change: WorkloadChange<Parameters> = {
  edits: ({ parameters }, place) => {
    const { name, wrong } = moved(place, parameters);
    const all = plainVariables(place)?.map((one) => (one.name === name ? { name, value: wrong } : one));
    return [{ ...field, wrong: all }];
  },
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
    ...truthOfVariable(truthOfChange(change, context), context, (place) => {
      const { name, value, wrong } = moved(place, context.parameters);
      return { name, part: ".value", wrong, right: value };
    }),
    ...labels,
    explanation: `a variable of ${context.target} has a port at which what it needs does not listen`,
  }),
  repairs: [undoRollout, setBack([field])],
  shortcuts: [otherPort, restartEverything, deletePods],
  runbook: revertConfiguration,
  evidence: changeEvidence(labels, (changes) =>
    changes.find(({ field, was, is }) => {
      const hosts = [was, is].map((value) => /^"(.*):\d+"$/.exec(value ?? "")?.[1]);
      return /\.env\[[^\]]+\]\.value$/.test(field) && hosts[0] !== undefined && hosts[0] === hosts[1];
    }),
  ),
});
