import { setTimeout as delay } from "node:timers/promises";
import type { TokenScope } from "@microremed/contracts";
import { newToken, type State } from "@microremed/state";

/** The body of an answer. */
export interface Answer {
  readonly status?: string;
  readonly [field: string]: unknown;
}

/** A problem as the gateway hands it out. */
export interface Given {
  readonly status: string;
  readonly problem: string;
  readonly task: string;
  readonly attempt: number;
  readonly mayAct: boolean;
  readonly words: string;
  readonly tools: readonly { readonly name: string }[];
  readonly calls: number;
  readonly previous?: { readonly problem: string; readonly outcome: string | null };
  readonly episodes?: number;
  readonly done?: number;
}

/** A program outside of the range: it knows a gateway's address and a token. */
export interface OutsideAgent {
  ask(
    path: string,
    body?: unknown,
    method?: string,
  ): Promise<{ readonly status: number; readonly body: Answer }>;
  open(request: object): Promise<string>;
  next(session: string, worker?: string): Promise<Given>;
  call(
    session: string,
    given: Pick<Given, "problem">,
    tool: string,
    args?: object,
    id?: string,
  ): Promise<Answer>;
}

let calls = 0;

/** Makes a token and an agent that has it. `urls`: one of them is asked, in turn. */
export async function anOutsideAgent(
  tokens: Pick<State["tokens"], "put">,
  urls: readonly string[],
  { scope = "agent", name = "*" }: { readonly scope?: TokenScope; readonly name?: string } = {},
): Promise<OutsideAgent> {
  const { id, text, secretHash } = newToken();
  const limits = {
    expiresAt: null,
    requestsPerMinute: 60_000,
    mostSessions: 1_000,
    problemsPerHour: 100_000,
    opens: true,
  };
  await tokens.put({ id, scope, name, secretHash, createdAt: 1, ...limits });
  let turn = 0;
  const ask: OutsideAgent["ask"] = async (path, body, method = body === undefined ? "GET" : "POST") => {
    const headers = { authorization: `Bearer ${text}`, "content-type": "application/json" };
    const init = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) };
    for (;;) {
      const reply = await fetch(`${urls[turn++ % urls.length]}/v1${path}`, init)
        .then(async (one) => ({ status: one.status, body: (await one.json()) as Answer }))
        .catch(() => undefined);
      if (reply && reply.status !== 503) return reply;
      // The replica is gone, or the range is not there for a moment: the same again, at the next one.
      await delay(100);
    }
  };
  const well = async (path: string, body?: unknown): Promise<Answer> => {
    const reply = await ask(path, body);
    if (reply.status >= 400) throw new Error(`${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
    return reply.body;
  };
  return {
    ask,
    open: async (request) => String((await well("/sessions", { agent: "tester@1", ...request }))["id"]),
    next: async (session, worker = "main") => {
      for (;;) {
        const next = (await well(`/sessions/${session}/next`, { worker })) as unknown as Given;
        if (next.status !== "waiting") return next;
      }
    },
    call: async (session, { problem }, tool, args = {}, callId = `call-${calls++}`) => {
      for (;;) {
        const path = `/sessions/${session}/problems/${problem}/calls`;
        const result = await well(path, { id: callId, tool, arguments: args });
        if (result.status !== "pending") return result;
      }
    },
  };
}
