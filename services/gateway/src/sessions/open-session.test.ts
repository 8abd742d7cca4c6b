import type { SessionRecord, TokenRecord } from "@microremed/contracts";
import { AppError, silentLogger, terminal } from "@microremed/core";
import { expect, test } from "vitest";
import { openSession } from "./open-session.ts";
import type { SessionDeps } from "./session-deps.ts";
import { SessionRequest } from "./session-request.ts";

const token: TokenRecord = {
  ...{ id: "t123456789", scope: "researcher", name: "x", secretHash: "0".repeat(64), createdAt: 1 },
  ...{ expiresAt: null, requestsPerMinute: 60, mostSessions: 4, opens: true },
} as TokenRecord;
const lost = new AppError("bus-unreachable", "no answer", { severity: "retryable" });

/** Opens a session where `submit` and `cancel` fail as they are said to; what is left, and what was cancelled. */
async function failing(submit: AppError, cancel?: AppError) {
  const left = new Set<string>();
  const cancelled: string[] = [];
  const deps = {
    client: {
      submit: async () => Promise.reject(submit),
      cancel: async (id: string) => {
        if (cancel) throw cancel;
        cancelled.push(id);
      },
    },
    sessions: {
      open: async ({ id }: SessionRecord) => Boolean(left.add(id)),
      close: async ({ id }: SessionRecord) => left.delete(id),
    },
    ...{ tokens: { charge: async () => 0 }, now: () => 1, problems: { suites: [] }, log: silentLogger },
  } as unknown as SessionDeps;
  const request = SessionRequest.parse({ agent: "tester@1", suite: "easy@1" });
  await expect(openSession(deps, token, request)).rejects.toBe(submit);
  return { left: left.size, cancelled: cancelled.length };
}

test("an experiment of which it is not known whether it started is cancelled with its session", async () => {
  expect(await failing(lost)).toEqual({ left: 0, cancelled: 1 });
  expect(await failing(terminal("invalid-request", "wrong"))).toEqual({ left: 0, cancelled: 0 });
});

test("a session stays, to end by its silence, where its experiment cannot be cancelled", async () => {
  expect(await failing(lost, lost)).toEqual({ left: 1, cancelled: 0 });
});
