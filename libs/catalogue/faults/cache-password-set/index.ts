import {
  defineFault,
  deletePods,
  drawnPassword,
  type Place,
  restartEverything,
  setOther,
  templateEvidence,
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
});

const field = { of: "container", field: "args" } as const;
const asking = ({ container }: Place, password: string): string[] => [
  ...(container.args ?? []),
  "--requirepass",
  password,
];

/** A Redis asks its clients for a password that they do not have. */
export default defineFault({
  name: "cache-password-set",
  title: "Password on a cache",
  description: "cache-password-set: the cache refuses its clients",
  drawn: { password: drawnPassword },
  symptom: "requests",
  recovery: ["ready", "serving", "requests"],
  ...workloadsWhere(({ name, container }) =>
    container.behaviour.runtime === "redis" ? undefined : `${name} is no Redis`,
  ),
  ...workloadFault({
    parameters,
    edits: [{ ...field, wrong: ({ parameters: { password } }, place) => asking(place, password) }],
    explanation: (context) =>
      `${context.target} asks for a password that its clients do not have, so it refuses what they ask`,
    mechanism: "access-denied",
    systemLevel: "Application",
    faultType: "Authentication Issue",
    evidence: (labels) =>
      templateEvidence(labels, field, ({ is }) => JSON.stringify(is ?? []).includes("requirepass")),
  }),
  shortcuts: [
    setOther("asks for another password that no client has", field, (_, place) => asking(place, "redis")),
    restartEverything,
    deletePods,
  ],
});
