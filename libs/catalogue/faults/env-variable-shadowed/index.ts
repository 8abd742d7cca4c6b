import {
  addressVariable,
  addressVariables,
  containerPath,
  type Draw,
  defineFault,
  deletePods,
  dialledAddress,
  drawnName,
  isDeclared,
  jsonPatch,
  mistyped,
  noAddressVariable,
  offeredWorkloads,
  plainVariables,
  type Remedy,
  restartEverything,
  rollOut,
  targetOf,
  templateEvidence,
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
  address.replace(dialledAddress(address).host, () => host);

const firstEntry: Remedy = {
  name: "first-entry",
  doc: "gives the first of the two entries a name with its domain; the second still counts",
  commands: (context) => {
    const index = Object.keys(context.workload.containers[0]?.env ?? {}).length - 1;
    const path = `${containerPath(context)}/env/${Math.max(0, index)}/value`;
    return [jsonPatch(context, [{ op: "replace", path, value: "127.0.0.1:80" }]), ...rollOut(context)];
  },
};

const Variables = z.array(z.object({ name: z.string(), value: z.string().optional() }));

/** The last variable that another one of its name goes before, with another value. */
function shadowed(env: unknown) {
  const all = Variables.safeParse(env).data ?? [];
  for (const [index, { name, value }] of [...all.entries()].toReversed()) {
    const first = all.slice(0, index).find((one) => one.name === name);
    if (first?.value !== undefined && value !== undefined && serviceIn(first.value) !== serviceIn(value))
      return { path: `[name=${name}].value`, wrong: value, right: first.value };
  }
  return false;
}

/** An address with the Service's name alone as its host: whatever is behind that name leads to the same place. */
function serviceIn(address: string): string {
  const { host } = dialledAddress(address);
  return address.replace(host, () => host.split(".")[0] ?? host);
}

/** The right host mistyped, or another one that does not exist. */
const drawnHost: Draw<string> = (rng, where) => {
  const place = targetOf(where.environment, where.target);
  if (!place) return undefined;
  const { host } = dialledAddress(addressVariable(place, undefined).value);
  const other =
    rng.int(2) === 0 ? mistyped(host, rng) : drawnName("backend", "svc", "api", "old", "gateway")(rng, where);
  return isDeclared(where, `"${other}"`) ? undefined : other;
};

/** A variable is set twice, and the second value, which counts, is wrong. */
export default defineFault({
  name: "env-variable-shadowed",
  title: "Environment variable set twice",
  description: "env-variable-shadowed: the service does not reach what it depends on",
  strengths: [{ name: "a host that does not exist", parameters: { host: "old-backend" } }],
  drawn: { host: drawnHost },
  lookalikes: ["variable-repeated"],
  symptom: "requests",
  recovery: ["ready", "serving", "requests"],
  ...offeredWorkloads((place) =>
    addressVariables(place).length === 0 ? noAddressVariable(place) : undefined,
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
    evidence: (labels) =>
      templateEvidence(labels, { of: "container", field: "env" }, ({ is }) => shadowed(is)),
  }),
  shortcuts: [firstEntry, restartEverything, deletePods],
});
