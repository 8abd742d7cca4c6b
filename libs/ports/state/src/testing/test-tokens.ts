import type { TokenRecord } from "@microremed/contracts";
import { expect, test } from "vitest";
import { newToken, readToken } from "../token-text.ts";
import type { CreateState } from "./state-under-test.ts";

function aToken(changes: Partial<TokenRecord> = {}) {
  const { id, secretHash, text } = newToken();
  const record: TokenRecord = {
    ...{ id, secretHash, scope: "agent", name: "checker", createdAt: 1, expiresAt: null },
    ...{ requestsPerMinute: 600, mostSessions: 4, problemsPerHour: 60, opens: true },
    ...changes,
  };
  return { record, text };
}

/** Tokens: what lets them in, and how often. */
export function testTokens(create: CreateState): void {
  test("a token is known by its id and its secret, until it is revoked", async () => {
    await using tested = await create();
    const { tokens } = tested.state;
    const { record, text } = aToken();
    const shown = readToken(text);
    expect(shown).toEqual({ id: record.id, secretHash: record.secretHash });
    expect(await tokens.use(record.id, record.secretHash)).toEqual({ status: "unknown" });
    await tokens.put(record);
    const other = await tested.another();
    expect(await other.tokens.use(record.id, record.secretHash)).toEqual({ status: "ok", token: record });
    expect(await tokens.use(record.id, "0".repeat(64))).toEqual({ status: "unknown" });
    expect(await tokens.list()).toEqual([record]);
    await tokens.put({ ...record, name: "renamed" });
    expect((await tokens.list()).map(({ name }) => name)).toEqual(["renamed"]);
    expect(await other.tokens.revoke(record.id)).toBe(true);
    expect(await tokens.revoke(record.id)).toBe(false);
    expect(await tokens.use(record.id, record.secretHash)).toEqual({ status: "unknown" });
    expect(await tokens.list()).toEqual([]);
    await other[Symbol.asyncDispose]();
  });

  test("a token ends when it expires", async () => {
    await using tested = await create();
    const { state } = tested;
    const { record } = aToken({ expiresAt: state.now() + 60_000 });
    await state.tokens.put(record);
    expect(await state.tokens.use(record.id, record.secretHash)).toMatchObject({ status: "ok" });
    await tested.pass(60_001);
    expect(await state.tokens.use(record.id, record.secretHash)).toEqual({ status: "unknown" });
  });

  test("a token makes a sixth of its requests at once, and no more than its rate after that; others go on", async () => {
    await using tested = await create();
    const { tokens } = tested.state;
    const { record } = aToken({ requestsPerMinute: 60 });
    const { record: other } = aToken({ requestsPerMinute: 1 });
    await tokens.put(record);
    await tokens.put(other);
    const use = () => tokens.use(record.id, record.secretHash);
    for (let request = 0; request < 10; request++) expect((await use()).status).toBe("ok");
    expect(await use()).toEqual({ status: "too-many", token: record, waitMs: 1_000 });
    expect(await use()).toMatchObject({ status: "too-many", waitMs: 1_000 });
    expect(await tokens.use(other.id, other.secretHash)).toMatchObject({ status: "ok" });
    expect(await tokens.use(other.id, other.secretHash)).toMatchObject({ status: "too-many" });
    await tested.pass(2_500);
    const after = [await use(), await use(), await use()];
    expect(after.map(({ status }) => status)).toEqual(["ok", "ok", "too-many"]);
    await tested.pass(57_500);
    expect(await tokens.use(other.id, other.secretHash)).toMatchObject({ status: "ok" });
  });

  test("problems that a token starts are charged to it alone, and are free again after an hour", async () => {
    await using tested = await create();
    const { tokens } = tested.state;
    const { record } = aToken();
    const { record: other } = aToken();
    expect(await tokens.charge(record, 0)).toBe(0);
    expect(await tokens.charge(record, 40)).toBe(0);
    expect(await tokens.charge(record, 0)).toBe(0);
    // More than there is room for: it has been started, so it counts.
    expect(await tokens.charge(record, 40)).toBe(0);
    expect(await tokens.charge(record, 0)).toBe(21 * 60_000);
    expect(await tokens.charge(other, 1)).toBe(0);
    await tested.pass(21 * 60_000);
    expect(await tokens.charge(record, 100_000)).toBe(0);
    // At most another whole hour.
    expect(await tokens.charge(record, 0)).toBe(61 * 60_000);
  });

  test("what is no token is not read as one", () => {
    const { text } = aToken();
    for (const wrong of ["", "mr_", text.slice(1), `${text}x`, text.replace("mr_", "MR_"), text.slice(0, -1)])
      expect(readToken(wrong)).toBeUndefined();
  });
}
