import {
  addressVariable,
  addressVariables,
  between,
  type ChangedField,
  changeFinding,
  changesByObject,
  commonCalls,
  type Draw,
  defineFault,
  deletePods,
  dialledAddress,
  evidenceBy,
  noAddressVariable,
  offeredWorkloads,
  type Place,
  plainVariables,
  restartEverything,
  shellCall,
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

/** A line for each Service: its name and its ports. */
const servicePorts = shellCall(
  `kubectl get services -o jsonpath='{range .items[*]}{.metadata.name} {.spec.ports[*].port}{"\\n"}{end}'`,
);

/** Whether a variable's host stayed, and its port changed. */
function isOtherPort({ field, was, is }: ChangedField): boolean {
  const hosts = [was, is].map((value) => /^"(.*):\d+"$/.exec(value ?? "")?.[1]);
  return /\.env\[[^\]]+\]\.value$/.test(field) && hosts[0] !== undefined && hosts[0] === hosts[1];
}

/** Whether the Service of an address has its port, by the answer to `servicePorts`. */
function isServed(address: string | null, listed: string): boolean {
  const [, host = "", port = ""] = /^"([^.:]+)[^:]*:(\d+)"$/.exec(address ?? "") ?? [];
  const line = listed.split("\n").find((one) => one.startsWith(`${host} `));
  return line?.split(" ").slice(1).includes(port) ?? false;
}

/** A program is configured with a wrong port of what it needs. */
export default defineFault({
  name: "dependency-port-wrong",
  title: "Wrong port of a dependency",
  description: "dependency-port-wrong: the service does not reach what it depends on",
  strengths: [{ name: "100 off", parameters: { offset: 100 } }],
  drawn: { offset: drawnOffset },
  withoutLookalike:
    "requests are counted by the address that is declared, so that a client on another port of the same Service counts as one that sends none",
  symptom: "requests",
  recovery: ["ready", "serving", "requests"],
  ...offeredWorkloads((place) => {
    const all = addressVariables(place);
    if (all.length === 0) return noAddressVariable(place);
    return all.some(({ value }) => /:\d+/.test(value))
      ? undefined
      : `${place.name} takes no address with a port from a variable`;
  }),
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
      evidenceBy([commonCalls.changes, servicePorts], ([log = "", listed = ""]) =>
        changesByObject(log).flatMap((changes) => {
          const found = changes.find((change) => isOtherPort(change) && !isServed(change.is, listed));
          return found ? [changeFinding(found, labels)] : [];
        }),
      ),
  }),
  shortcuts: [otherPort, restartEverything, deletePods],
});
