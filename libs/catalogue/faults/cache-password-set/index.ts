import {
  accountArguments,
  askRedis,
  defineFault,
  deletePods,
  drawnPassword,
  drawnWord,
  type Place,
  restartEverything,
  setOther,
  templateEvidence,
  valueInWords,
  workloadFault,
  workloadsWhere,
  z,
} from "@microremed/catalogue";

const parameters = z.object({
  password: z
    .string()
    .regex(/^\w{4,40}$/)
    .default("kV8dZ3pw")
    .describe("asked for from now on; no client has it"),
  account: z
    .string()
    .regex(/^[a-z][a-z0-9]*$/)
    .optional()
    .describe("of a second user, who needs no password; default: no users are listed"),
  isFirst: z.boolean().default(true).describe("whether the user of the clients is listed first"),
});

const field = { of: "container", field: "args" } as const;

function asking(
  { container: { args = [] } }: Place,
  { password, account: name, isFirst }: z.output<typeof parameters>,
): string[] {
  if (name === undefined) return [...args, "--requirepass", password];
  return [...args, ...accountArguments({ name, password }, { openTo: "other", isFirst })];
}

/** What a Redis with a password in its arguments answers who gives none. */
const pingAll = askRedis("requirepass", "ping 2>&1");

/** A change log leaves out the end of a long list: what was there is what the arguments for the password are behind. */
function askedBehind(is: unknown) {
  const all = z.array(z.string()).safeParse(is).data ?? [];
  const at = all.indexOf("--requirepass");
  return at < 0 ? false : { right: valueInWords(at === 0 ? undefined : all.slice(0, at)) };
}

/** Whether a pod of the workload refuses who gives no password, by the answer to `pingAll`. */
const refuses = (answer: string, workload: string): boolean =>
  answer.split("\n").some((line) => line.startsWith(`${workload}-`) && line.includes("NOAUTH"));

/** A Redis asks its clients for a password that they do not have. */
export default defineFault({
  name: "cache-password-set",
  title: "Password on a cache",
  description: "cache-password-set: the cache refuses its clients",
  drawn: {
    password: drawnPassword,
    account: (rng) => `${drawnWord(rng)}app`,
    isFirst: (rng) => rng.int(2) === 0,
  },
  lookalikes: ["accounts-listed"],
  symptom: "requests",
  recovery: ["ready", "serving", "requests"],
  ...workloadsWhere(({ name, container }) =>
    container.behaviour.runtime === "redis" ? undefined : `${name} is no Redis`,
  ),
  ...workloadFault({
    parameters,
    edits: [{ ...field, wrong: ({ parameters: given }, place) => asking(place, given) }],
    explanation: (context) =>
      `${context.target} asks for a password that its clients do not have, so it refuses what they ask`,
    mechanism: "access-denied",
    systemLevel: "Application",
    faultType: "Authentication Issue",
    evidence: (labels) =>
      templateEvidence(
        labels,
        field,
        ({ object, is, answers: [pinged = ""] }) => refuses(pinged, object.name) && askedBehind(is),
        [pingAll],
      ),
  }),
  shortcuts: [
    setOther("asks for another password that no client has", field, (_, place) =>
      asking(place, parameters.parse({ password: "redis" })),
    ),
    restartEverything,
    deletePods,
  ],
});
