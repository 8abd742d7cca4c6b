import {
  type Attempted,
  appendCommand,
  isAppendStuck,
  redisState,
  redisWriteError,
  saveRedis,
} from "@microremed/sim-machine";
import type { Command, CommandContext } from "../../container/command.types.ts";
import { parseOptions } from "../../container/options.ts";
import type { RedisReply, RedisSession } from "./redis-reply.types.ts";
import { runRedis } from "./run-redis.ts";

const reason = ({ error }: Attempted): string =>
  /time/i.test(error) ? "Connection timed out" : "Connection refused";

const usage = new Set(["no-auth-warning", "raw", "no-raw", "csv", "json", "verbose", "stat", "bigkeys"]);

/** Options end at the first word that is none: what follows is the command. */
function split(args: readonly string[]): { options: readonly string[]; words: readonly string[] } {
  let at = 0;
  while (at < args.length && args[at]?.startsWith("-")) {
    const takesNext = /^(-[hpanrit]|--user|--pass)$/.test(args[at] ?? "");
    at += takesNext ? 2 : 1;
  }
  return { options: args.slice(0, at), words: args.slice(at) };
}

/** `redis-cli`: one command, or those on stdin, one a line. */
export const redisCli: Command = async (context) => {
  const { deps, sandbox, signal } = context;
  const { options, words } = split(context.args);
  const { values, flags } = parseOptions(
    options,
    [...usage],
    ["h", "p", "a", "n", "r", "i", "t", "user", "pass"],
  );
  const host = values.get("h") ?? "127.0.0.1";
  const port = Number(values.get("p") ?? 6379);
  const attempted = deps.network.tcpConnect(sandbox, host, port, 10_000);
  await deps.loop.sleep(attempted.elapsedMs, signal);
  if (!attempted.ok) {
    context.err(`Could not connect to Redis at ${host}:${port}: ${reason(attempted)}\n`);
    return 1;
  }
  const server = attempted.by ?? { sandbox, container: context.container };
  const session = openRedis(context, server);
  const most = Number(session.state.config["maxclients"] ?? 10_000);
  if (session.clients.length >= most) {
    context.out("(error) ERR max number of clients reached\n");
    return 1;
  }
  const password = values.get("a") ?? values.get("pass") ?? context.variable("REDISCLI_AUTH");
  if (password !== undefined) logIn(context, session, values.get("user"), password, flags);
  const lines = words.length > 0 ? [words] : linesOf(Buffer.from(await context.stdin()).toString());
  let code = 0;
  for (const line of lines) {
    const reply = runRedis(session, line);
    if (reply.type === "error") code = 1;
    context.out(`${textOf(reply, context.tty)}\n`);
  }
  server.container.datastore = session.state;
  return words.length > 0 ? code : 0;
};

const linesOf = (text: string): string[][] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .map((line) => [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? ""));

function openRedis(
  { deps }: CommandContext,
  { sandbox, container }: NonNullable<Attempted["by"]>,
): RedisSession {
  const session: RedisSession = {
    state: redisState(sandbox, container),
    user: undefined,
    clients: container.storeClients ?? [],
    uptimeSeconds: Math.floor((deps.loop.now() - container.startedAt) / 1000),
    now: deps.loop.now(),
    random: () => deps.rng.int(2 ** 31),
    isStuck: () => isAppendStuck(sandbox, container, session.state),
    writeError: () => redisWriteError(sandbox, container, session.state),
    append: (words) => appendCommand(sandbox, container, session.state, words),
    save: () => {
      container.datastore = session.state;
      saveRedis(sandbox, container);
    },
  };
  return session;
}

function logIn(
  context: CommandContext,
  session: RedisSession,
  user: string | undefined,
  password: string,
  flags: ReadonlySet<string>,
): void {
  if (!flags.has("no-auth-warning"))
    context.err(
      "Warning: Using a password with '-a' or '-u' option on the command line interface may not be safe.\n",
    );
  const reply = runRedis(session, user === undefined ? ["AUTH", password] : ["AUTH", user, password]);
  if (reply.type === "error") context.err(`AUTH failed: ${reply.text}\n`);
}

/** A reply as the client prints it: marked for people, plain for programs. */
function textOf(reply: RedisReply, tty: boolean, depth = 0): string {
  switch (reply.type) {
    case "status":
      return reply.text;
    case "error":
      return tty ? `(error) ${reply.text}` : `${reply.text}\n`;
    case "integer":
      return tty ? `(integer) ${reply.value}` : String(reply.value);
    case "nil":
      return tty ? "(nil)" : "";
    case "bulk":
      return tty && !reply.text.includes("\n") ? JSON.stringify(reply.text) : reply.text;
    case "list": {
      if (reply.items.length === 0) return tty ? "(empty array)" : "";
      const items = reply.items.map((item, index) => {
        const text = textOf(item, tty, depth + 1);
        return tty ? `${" ".repeat(depth * 3)}${index + 1}) ${text}` : text;
      });
      return items.join("\n");
    }
  }
}
