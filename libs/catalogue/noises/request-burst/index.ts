import {
  between,
  defineNoise,
  dropLoad,
  isLoadFollowed,
  orderLoad,
  workloadAtEntry,
  z,
} from "@microremed/catalogue";

const name = "request-burst";

const parameters = z.object({
  factor: z.number().min(1.5).max(5).default(3).describe("times the rate that the load has else"),
  seconds: z.int().min(10).max(300).default(30).describe("cluster time that it takes"),
});

export default defineNoise({
  name,
  title: "A short burst of requests",
  description:
    "For half a minute users send several times as many requests as before. The system serves them all. Then the rate is as before.",
  parameters,
  logs: [],
  drawn: { factor: (rng) => (20 + rng.int(21)) / 10, seconds: between(20, 60) },
  seenIn: "requests",
  decoys({ environment }) {
    const entry = workloadAtEntry(environment);
    const kind = entry === undefined ? undefined : environment.workloads[entry]?.kind;
    return entry === undefined || kind === undefined ? [] : [{ kind, name: entry }];
  },
  async place(context) {
    const { factor, seconds } = context.parameters;
    const origin = await context.cluster.clock.now();
    const pattern = { shape: "constant", factor } as const;
    await orderLoad(context, name, { pattern, seed: "", origin, until: origin + seconds * 1000 });
  },
  isSettled: (context) => isLoadFollowed(context, name),
  remove: (context) => dropLoad(context, name),
});
