import {
  AgentLabel,
  ProblemId,
  Reveal,
  SessionId,
  type TokenRecord,
  WorkerName,
  wrongLines,
} from "@microremed/contracts";
import { terminal } from "@microremed/core";
import { z } from "zod";
import { findSession } from "../sessions/find-session.ts";
import { openSession } from "../sessions/open-session.ts";
import { SessionRequest } from "../sessions/session-request.ts";
import { TurnName } from "../sessions/turn-name.ts";
import type { McpDeps } from "./mcp-deps.ts";

const number = z.coerce.number().int();

/** What an MCP client's address says: which problems, or which session. */
export const McpQuery = z.strictObject({
  session: SessionId.optional().describe(
    "an open session; else one is opened when the client connects, and closed when it says goodbye",
  ),
  worker: WorkerName.default("main"),
  turn: TurnName.optional().describe("with `session`: the only turn of its worker that tools are called in"),
  agent: AgentLabel.optional().describe("name in reports; default: the token's, or else the client's own"),
  suite: z.string().max(100).optional(),
  problem: ProblemId.optional(),
  experiment: z.string().max(63).optional(),
  environment: z.string().max(100).optional(),
  task: z.string().max(63).optional(),
  seed: number.optional(),
  repeats: number.optional(),
  maxAttempts: number.optional(),
  reveal: Reveal.optional(),
  silenceSeconds: number.optional(),
});
export type McpQuery = z.output<typeof McpQuery>;

/**
 * Throws `invalid-request` where a request says two things: an open session beside what a new one would be, or another session in its
 * address than in its header.
 */
export function assertConsistent(
  { session, worker: _, turn: __, ...wanted }: McpQuery,
  header: string | undefined,
): void {
  if (session === undefined) return;
  const others = Object.keys(wanted).map((name) => `\`${name}\``);
  if (others.length > 0)
    throw terminal(
      "invalid-request",
      `the address names an open session and ${others.join(", ")} of another one: leave out ?session= to open a session, or the rest to use an open one`,
    );
  if (header !== undefined && header !== session)
    throw terminal(
      "invalid-request",
      `the address names the session ${session} and the header ${sessionHeader} another one: leave out one of them, or send the same in both`,
    );
}

/** In which MCP clients send their session. */
export const sessionHeader = "mcp-session-id";

/** The first message of a client. */
const Initialize = z.looseObject({
  method: z.literal("initialize"),
  params: z.looseObject({
    clientInfo: z.looseObject({ name: z.string().max(200), version: z.string().max(100).default("") }),
  }),
});

/** The session that a client begins with; undefined: the message is not a client's first. */
export async function sessionOfFirst(
  deps: McpDeps,
  {
    token,
    tokenId,
    query,
    message,
  }: {
    readonly token: TokenRecord;
    readonly tokenId: string | undefined;
    readonly query: McpQuery;
    readonly message: unknown;
  },
): Promise<string | undefined> {
  const first = Initialize.safeParse(message);
  if (!first.success) return undefined;
  const {
    session,
    worker: _,
    turn: __,
    agent = agentOf(token, first.data.params.clientInfo),
    ...wanted
  } = query;
  if (session !== undefined) return (await findSession(deps, session, tokenId)).session.id;
  const request = SessionRequest.safeParse({ agent, ...wanted });
  if (!request.success)
    throw terminal(
      "invalid-request",
      `the address says no problems: add ?suite=<suite>, ?problem=<problem>, ?experiment=<id> or ?session=<id>. ${wrongLines(request.error)}`,
    );
  const opened = await openSession(deps, token, request.data);
  return opened.session.id;
}

/** The token's agent, or what the client calls itself. */
function agentOf(
  { scope, name }: TokenRecord,
  client: { readonly name: string; readonly version: string },
): string {
  const own = scope === "agent" && name !== "*" ? name : plain(client.name, "mcp-client");
  const version = plain(client.version, "");
  return version === "" ? own : `${own}@${version}`;
}

/** As names of agents are. */
function plain(text: string, other: string): string {
  const found = text
    .replaceAll(/[^A-Za-z0-9._-]+/g, "-")
    .replace(/^[^A-Za-z0-9]+/, "")
    .slice(0, 45);
  return found === "" ? other : found;
}
