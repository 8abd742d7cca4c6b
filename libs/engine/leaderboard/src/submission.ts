import { RangeKind } from "@microremed/contracts";
import { z } from "zod";

/** Version of the format of `submission.json`. */
export const submissionFormat = "microremed-submission/1";
/** Most files of a run. */
const mostFiles = 50_001;

const Line = z
  .string()
  .trim()
  .min(1)
  .max(120)
  .regex(/^[^\p{Cc}]+$/u, "expected no control characters");

/** Who was tried, in the words of who submits the run. */
export const Submitter = z.strictObject({
  agent: Line.describe("name of the agent"),
  version: Line.describe("version of the agent: a release, a commit"),
  by: Line.describe("who submits: a person, a team"),
  url: z
    .url({ protocol: /^https$/ })
    .max(300)
    .optional()
    .describe("where the agent is described, https"),
});
export type Submitter = z.infer<typeof Submitter>;

/** What is signed of a saved run: who was tried, and the digest of each of its files. */
export const Submission = z.strictObject({
  format: z.literal(submissionFormat),
  ...Submitter.shape,
  experiment: z.string().min(1).max(200).describe("id of the experiment"),
  harnessVersion: z.string().max(100).describe("version of MicroRemed that ran it"),
  range: RangeKind,
  planned: z.int().min(1).describe("episodes that the request plans"),
  files: z
    .record(z.string().regex(/^[\w.-]{1,255}$/), z.string().regex(/^[0-9a-f]{64}$/))
    .refine((files) => Object.keys(files).length <= mostFiles, `expected at most ${mostFiles} files`)
    .describe("SHA-256 of each file of the run, hex, by name"),
  publicKey: z
    .string()
    .max(100)
    .describe("Ed25519 key that the signature is checked with: SubjectPublicKeyInfo, DER, base64"),
});
export type Submission = z.infer<typeof Submission>;
