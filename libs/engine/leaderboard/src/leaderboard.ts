import { z } from "zod";

/** Version of the format of `leaderboard.json`. */
export const leaderboardFormat = "microremed-leaderboard/2";

const Share = z.strictObject({
  of: z.int().describe("how many count"),
  hits: z.int(),
  rate: z.number().nullable().describe("hits / of, 0..1; null: of nothing"),
  low: z.number().nullable().describe("lower end of the 95 % Wilson interval"),
  high: z.number().nullable().describe("its upper end"),
});

/** Where numbers come from. What differs between runs of a row is here: it makes no row of its own. */
const RunOfEntry = z.strictObject({
  folder: z.string().describe("name of the run's folder"),
  experiment: z.string(),
  seed: z.int(),
  repeats: z.int(),
  maxProbes: z.int().nullable().describe("observing calls in an attempt; null: as many as is usual"),
  harnessVersion: z.string(),
  range: z.string(),
  digest: z
    .string()
    .describe("SHA-256 of the bytes of submission.json, hex; of an unsigned run those it would have"),
  key: z.string().nullable().describe("fingerprint of the key that signed it; null: it is not signed"),
});

/** One agent in one version with one model: all its runs on a board together. */
export const Entry = z.strictObject({
  rank: z.int().min(1).describe("among the entries of its board, from 1; equal entries share it"),
  agent: z.string(),
  version: z.string().nullable().describe("null: the run is not signed, and says none"),
  by: z.string().nullable(),
  url: z.string().nullable(),
  model: z.string(),
  method: z.string(),
  bound: z.enum(["floor", "ceiling"]).nullable().describe("of a rule-based model; null: it is no bound"),
  success: Share.describe(
    "strict verdicts and grades; planned episodes that are missing, cancelled or ended in a harness error after the agent had been given something are failures",
  ),
  clean: Share.nullable().describe(
    "repairs that left nothing worse than before, counted alike; null: none was asked",
  ),
  tasks: z.array(z.strictObject({ task: z.string(), ...Share.shape })).describe("the same for each task"),
  missing: z.int().describe("planned episodes without a result"),
  costPerEpisode: z.number().nullable().describe("US dollars; null: a model has no price"),
  tokensPerEpisode: z.number().nullable(),
  modelSeconds: z.number().nullable().describe("mean wall clock of the model's calls in an episode, s"),
  clusterSeconds: z.number().nullable().describe("mean cluster time from the incident to the verdict, s"),
  runs: z.array(RunOfEntry).min(1).describe("whose episodes count together; one that is not signed is alone"),
});
export type Entry = z.infer<typeof Entry>;

/** `leaderboard.json`: a board for each set of cases, whole ones before parts, the best entry first. */
export const Leaderboard = z.strictObject({
  format: z.literal(leaderboardFormat),
  title: z.string(),
  boards: z.array(
    z.strictObject({
      subject: z
        .string()
        .describe(
          "what was run: a suite, a list of problems, an environment with its failures; of a part of them which, and every setting that is not the usual one",
        ),
      whole: z.boolean().describe("false: of what the subject names only a part was asked for"),
      entries: z.array(Entry),
    }),
  ),
});
export type Leaderboard = z.infer<typeof Leaderboard>;
