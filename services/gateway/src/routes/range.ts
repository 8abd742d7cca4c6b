import { ClusterStatus, TokenRecord } from "@microremed/contracts";
import { harnessVersion } from "@microremed/core";
import { z } from "zod";
import type { App } from "../http/app.types.ts";
import { type RangeDeps, researchers } from "./range-deps.ts";
import { tokenIn } from "./sessions.ts";

const tags = ["range"];

const BudgetLimits = z.strictObject({ seconds: z.int(), toolCalls: z.int(), probeRounds: z.int() });

/** A token as its holder, or an administrator, may see it. */
const ShownToken = TokenRecord.omit({ secretHash: true }).meta({ id: "Token" });

const shown = ({ secretHash: _, ...token }: TokenRecord): z.output<typeof ShownToken> => token;

/** The range itself: its clusters, its version, and who may do what. */
export function addRange(
  app: App,
  { client, tokens, limits }: Pick<RangeDeps, "client" | "tokens" | "limits">,
): void {
  app.route({
    config: { access: ["agent", "researcher", "admin"] },
    method: "GET",
    url: "/token",
    schema: {
      ...{ tags, summary: "Show the token that the request has" },
      response: {
        200: z.strictObject({
          token: ShownToken,
          budgets: BudgetLimits.describe("the most that its sessions may ask for, for each problem"),
          version: z.string().describe("of the range"),
        }),
      },
    },
    handler: async (request) => {
      const token = tokenIn(request);
      return { token: shown(token), budgets: limits[token.scope], version: harnessVersion };
    },
  });

  app.route({
    config: { access: ["admin"] },
    method: "GET",
    url: "/tokens",
    schema: {
      ...{ tags, summary: "List all tokens, without their secrets" },
      response: { 200: z.strictObject({ tokens: z.array(ShownToken) }) },
    },
    handler: async () => ({ tokens: (await tokens.list()).map(shown) }),
  });

  app.route({
    config: { access: researchers },
    method: "GET",
    url: "/clusters",
    schema: {
      ...{ tags, summary: "List the clusters, their arenas and quarantines" },
      response: { 200: z.strictObject({ clusters: z.array(ClusterStatus) }) },
    },
    handler: async () => ({ clusters: [...(await client.clusters())] }),
  });
}
