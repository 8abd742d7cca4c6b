import { TokenId, type TokenRecord, TokenScope } from "@microremed/contracts";
import { terminal as refuse } from "@microremed/core";
import { plainTable } from "@microremed/scoring";
import { Command, Option } from "commander";
import type { Context } from "../context.ts";
import { makeToken, usualLimits } from "../gateway/make-token.ts";
import { openTokenStore } from "../gateway/token-store.ts";
import { outputOption } from "../output.ts";
import { wholeNumber } from "../parse-number.ts";

interface CreateOptions {
  readonly scope: TokenScope;
  readonly name: string;
  readonly days?: number;
  readonly requestsPerMinute: number;
  readonly sessions: number;
  readonly problemsPerHour: number;
  readonly open: boolean;
}

/** `microremed tokens create|list|revoke`: who may call the gateway. */
export function tokensCommand(context: Context): Command {
  const group = new Command("tokens").addHelpText(
    "after",
    `
Tokens are stored in the range's Redis, as hashes. REDIS_URL with the password of the user admin says where; in the directory of a
range of \`microremed up\` it is found by itself.`,
  );
  for (const verb of [create(context), list(context), revoke(context)]) group.addCommand(verb);
  return group;
}

function create(context: Context): Command {
  return new Command("create")
    .description("make a token and print it; it is shown only this once")
    .addOption(
      new Option(
        "--scope <scope>",
        "agent: its own sessions, nothing else; researcher: experiments, problems with their solutions, and sessions; admin: also the sessions of others and the list of tokens",
      )
        .choices(TokenScope.options)
        .makeOptionMandatory(),
    )
    .requiredOption(
      "--name <name>",
      "its holder, for lists and logs; of an agent: its name in reports, without a version; *: any agent",
    )
    .option("--days <n>", "days until it expires; default: never", wholeNumber(1, 3650))
    .option(
      "--requests-per-minute <n>",
      "most requests a minute; a sixth of them may come at once",
      wholeNumber(1, 100_000),
      usualLimits.requestsPerMinute,
    )
    .option("--sessions <n>", "most open sessions", wholeNumber(0, 10_000), usualLimits.mostSessions)
    .option(
      "--problems-per-hour <n>",
      "most problems that its sessions may start in an hour; one session with more takes a whole hour's",
      wholeNumber(1, 1_000_000),
      usualLimits.problemsPerHour,
    )
    .option(
      "--no-open",
      "of an agent: it may join experiments that name it, and open no sessions of its own choice",
    )
    .addHelpText("after", "\nExample:\n  microremed tokens create --scope agent --name my-agent --days 30")
    .action(async ({ sessions, open, ...options }: CreateOptions) => {
      await using state = await openTokenStore(context);
      const { record, text } = makeToken({ ...options, mostSessions: sessions, opens: open }, Date.now());
      await state.tokens.put(record);
      context.terminal.say(`token ${record.id} of the scope ${record.scope} for ${record.name}`);
      context.terminal.print(text);
    });
}

function list(context: Context): Command {
  return new Command("list")
    .description("list the tokens, without their secrets")
    .addOption(outputOption())
    .action(async ({ output }: { readonly output: "table" | "json" }) => {
      await using state = await openTokenStore(context);
      const tokens = (await state.tokens.list()).map(({ secretHash: _, ...token }) => token);
      const heading = ["id", "scope", "name", "created", "expires", "requests a minute", "sessions"];
      context.terminal.print(
        output === "json"
          ? JSON.stringify(tokens, null, 2)
          : plainTable([heading, ...tokens.map(row)], context.terminal.width),
      );
    });
}

function row(token: Omit<TokenRecord, "secretHash">): string[] {
  const { id, scope, name, createdAt, expiresAt, requestsPerMinute, mostSessions } = token;
  const day = (at: number | null): string =>
    at === null ? "never" : new Date(at).toISOString().slice(0, 10);
  return [id, scope, name, day(createdAt), day(expiresAt), String(requestsPerMinute), String(mostSessions)];
}

function revoke(context: Context): Command {
  return new Command("revoke")
    .description("end a token: its next request is refused")
    .argument("<id>", "its id, as `tokens list` shows it")
    .action(async (id: string) => {
      const wanted = TokenId.safeParse(id);
      if (!wanted.success)
        throw refuse(
          "invalid-request",
          `${JSON.stringify(id)} is no id of a token: ten small letters and digits`,
        );
      await using state = await openTokenStore(context);
      if (!(await state.tokens.revoke(wanted.data)))
        throw refuse("invalid-request", `there is no token ${id}; \`microremed tokens list\` lists them`);
      context.terminal.say(`token ${id} is revoked`);
    });
}
