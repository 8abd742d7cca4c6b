import {
  addressVariable,
  addressVariables,
  between,
  changeEvidence,
  type Draw,
  defineFault,
  deletePods,
  dialledAddress,
  offeredWorkloads,
  type Place,
  plainVariables,
  restartEverything,
  targetOf,
  workloadFault,
  wrongPort,
  z,
} from "@microremed/catalogue";
import { otherPort } from "./remedies.ts";

const parameters = z.object({
  variable: z
    .string()
    .optional()
    .describe("the one that is changed; default: the first with the address of what the program needs"),
  offset: z
    .int()
    .min(-1000)
    .max(1000)
    .refine((offset) => offset !== 0, "another number than 0")
    .default(2)
    .describe("added to the right port"),
});

type Parameters = z.output<typeof parameters>;

/** The variable, and its value with the wrong port. */
function moved(place: Place, { variable, offset }: Parameters) {
  const right = addressVariable(place, variable);
  const wrong = right.value.replace(/:(\d+)/, (_, port: string) => `:${Number(port) + offset}`);
  return { ...right, wrong };
}

/** So far that no program of what it needs listens there. */
const drawnOffset: Draw<number> = (rng, { environment, target }) => {
  const place = targetOf(environment, target);
  const right = place && dialledAddress(addressVariable(place, undefined).value);
  const other =
    right && environment.workloads[right.host]
      ? wrongPort(rng, { environment, target: right.host })
      : undefined;
  const offset = (other ?? 0) - (right?.port ?? 0);
  return other !== undefined && Math.abs(offset) <= 1000 && offset !== 0
    ? offset
    : between(3, 99)(rng, { environment, target });
};

/** A program is configured with a wrong port of what it needs. */
export default defineFault({
  name: "dependency-port-wrong",
  title: "Wrong port of a dependency",
  description: "dependency-port-wrong: the service does not reach what it depends on",
  strengths: [{ name: "100 off", parameters: { offset: 100 } }],
  drawn: { offset: drawnOffset },
  symptom: "requests",
  recovery: ["ready", "serving", "requests"],
  ...offeredWorkloads((place) =>
    addressVariables(place).some(({ value }) => /:\d+/.test(value))
      ? undefined
      : `${place.name} takes no address with a port from a variable`,
  ),
  ...workloadFault({
    parameters,
    edits: [
      {
        of: "container",
        field: "env",
        wrong: ({ parameters }, place) => {
          const { name, wrong } = moved(place, parameters);
          return plainVariables(place)?.map((one) => (one.name === name ? { name, value: wrong } : one));
        },
        cause: ({ parameters }, place) => {
          const { name, value, wrong } = moved(place, parameters);
          return { path: `[name=${name}].value`, wrong, right: value };
        },
      },
    ],
    explanation: (context) =>
      `a variable of ${context.target} has a port at which what it needs does not listen`,
    mechanism: "wrong-address",
    systemLevel: "Application",
    faultType: "Misconfiguration",
    evidence: (labels) =>
      changeEvidence(labels, ({ field, was, is }) => {
        const hosts = [was, is].map((value) => /^"(.*):\d+"$/.exec(value ?? "")?.[1]);
        return /\.env\[[^\]]+\]\.value$/.test(field) && hosts[0] !== undefined && hosts[0] === hosts[1];
      }),
  }),
  shortcuts: [otherPort, restartEverything, deletePods],
});
