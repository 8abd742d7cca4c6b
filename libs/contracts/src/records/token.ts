import { z } from "zod";

/**
 * What a token of the gateway opens. `agent`: sessions of its own, nothing else. `researcher`: experiments, episodes, problems and
 * the catalogue, and sessions. `admin`: also the sessions of others and the list of tokens.
 */
export const TokenScope = z.enum(["agent", "researcher", "admin"]);
export type TokenScope = z.infer<typeof TokenScope>;

/** Part of a token's text, and its name in logs. */
export const TokenId = z.string().regex(/^[a-z0-9]{10}$/, "ten small letters and digits");

/** The name that an outside agent has in reports: letters, digits, `.`, `_`, `-`, and `@` before a version. */
export const AgentLabel = z
  .string()
  .max(100)
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*(@[A-Za-z0-9][A-Za-z0-9._-]*)?$/, "<name> or <name>@<version>");

/** Problems that the sessions of one token may start. */
export const ProblemsPerHour = z
  .int()
  .min(1)
  .max(1_000_000)
  .default(10_000)
  .describe("problems that its sessions may start; one session with more takes a whole hour's");

/** A token of the gateway as it is stored: its secret only as a hash. */
export const TokenRecord = z.strictObject({
  id: TokenId,
  scope: TokenScope,
  name: z
    .string()
    .min(1)
    .max(100)
    .describe("of its holder; of an agent: its name in reports, without a version; *: any"),
  secretHash: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .describe("SHA-256 of the secret"),
  createdAt: z.number().describe("wall clock, ms since the epoch"),
  expiresAt: z.number().nullable().describe("null: never"),
  requestsPerMinute: z.int().min(1).max(100_000),
  mostSessions: z.int().min(0).max(10_000).describe("that may be open at once"),
  problemsPerHour: ProblemsPerHour,
  opens: z
    .boolean()
    .describe("whether an agent may open sessions of its own choice; false: only those of experiments"),
});
export type TokenRecord = z.infer<typeof TokenRecord>;
