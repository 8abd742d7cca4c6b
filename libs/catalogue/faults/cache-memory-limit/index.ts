import {
  askRedis,
  defineFault,
  deletePods,
  type Place,
  restartEverything,
  setOther,
  templateEvidence,
  workloadFault,
  workloadsWhere,
  z,
} from "@microremed/catalogue";

const parameters = z.object({
  maxmemory: z
    .string()
    .regex(/^[1-8]\d\dkb$/)
    .default("512kb")
    .describe("less than an empty Redis of version 7 needs"),
});

const field = { of: "container", field: "args" } as const;
/** Its arguments with a limit behind them: the last one counts. */
const limited = ({ container }: Place, maxmemory: string, policy: string): string[] => [
  ...(container.args ?? []),
  "--maxmemory",
  maxmemory,
  "--maxmemory-policy",
  policy,
];

/** What a Redis with a limit of memory in its arguments uses and may use, bytes. */
const memoryOfAll = askRedis(
  "maxmemory",
  `info memory 2>&1 | tr -d '\\r' | grep -E '^(used_memory|maxmemory):' | cut -d: -f2 | tr '\\n' ' '`,
);

/** Whether a pod of the workload uses more than it may, by the answer to `memoryOfAll`. */
const isFull = (answer: string, workload: string): boolean =>
  answer.split("\n").some((line) => {
    const [pod = "", used, most] = line.trim().split(" ");
    return pod.startsWith(`${workload}-`) && Number(most) > 0 && Number(used) > Number(most);
  });

/** A Redis may use less memory than it has in use, and evict nothing: it answers, and takes no writes. */
export default defineFault({
  name: "cache-memory-limit",
  title: "Memory limit of a cache",
  description: "cache-memory-limit: the cache takes no writes",
  strengths: [
    { name: "256 kB", parameters: { maxmemory: "256kb" } },
    { name: "800 kB", parameters: { maxmemory: "800kb" } },
  ],
  drawn: { maxmemory: (rng) => `${200 + rng.int(651)}kb` },
  lookalikes: ["cache-bounded"],
  symptom: "requests",
  recovery: ["ready", "serving", "requests"],
  ...workloadsWhere(({ name, container }) =>
    container.behaviour.runtime === "redis" ? undefined : `${name} is no Redis`,
  ),
  ...workloadFault({
    parameters,
    edits: [
      { ...field, wrong: ({ parameters: { maxmemory } }, place) => limited(place, maxmemory, "noeviction") },
    ],
    explanation: (context) =>
      `${context.target} may use less memory than it has in use and may evict nothing, so it refuses writes`,
    mechanism: "configuration-wrong",
    systemLevel: "Application",
    faultType: "Misconfiguration",
    evidence: (labels) =>
      templateEvidence(
        labels,
        field,
        ({ object, is, answers: [used = ""] }) =>
          JSON.stringify(is ?? []).includes('"--maxmemory"') && isFull(used, object.name),
        [memoryOfAll],
      ),
  }),
  shortcuts: [
    setOther("allows a little more, still too little", field, (_, place) =>
      limited(place, "600kb", "noeviction"),
    ),
    {
      ...setOther("lets it evict, which frees nothing that it needs itself", field, (_, place) =>
        limited(place, "512kb", "allkeys-lru"),
      ),
      name: "evict",
    },
    restartEverything,
    deletePods,
  ],
});
