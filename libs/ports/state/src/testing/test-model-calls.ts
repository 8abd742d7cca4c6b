import { expect, test } from "vitest";
import type { State } from "../state.ts";
import type { CreateState } from "./state-under-test.ts";

/** For how long, ms. */
const blockedFor = async (state: State, model = "m") => (await state.modelCalls.blockedFor(model)).ms;

export function testModelCalls(create: CreateState): void {
  test("two replicas keep one limit of requests: a burst of a tenth, then the pace, never more in a minute", async () => {
    await using tested = await create();
    const { state } = tested;
    await using other = await tested.another();
    const limits = { requestsPerMinute: 60 };
    /** When each call may start, ms. */
    const starts: number[] = [];
    for (let call = 0; call < 120; call++) {
      starts.push(await (call % 2 ? state : other).modelCalls.reserve("m", limits, 1));
    }
    expect(starts.slice(0, 7)).toEqual([0, 0, 0, 0, 0, 0, 1_091]);
    // Every minute, wherever it begins: a call and the sixtieth after it are a minute apart.
    for (let call = 0; call + 60 < starts.length; call++) {
      const apart = (starts[call + 60] ?? 0) - (starts[call] ?? 0);
      expect(apart).toBeGreaterThanOrEqual(60_000);
      expect(apart).toBeLessThan(66_000);
    }
    expect(await state.modelCalls.reserve("another", limits, 1)).toBe(0);
  });

  test("a model without limits is called at once", async () => {
    await using tested = await create();
    const { modelCalls } = tested.state;
    for (let call = 0; call < 3; call++) expect(await modelCalls.reserve("m", {}, 1_000_000)).toBe(0);
  });

  test("tokens are limited too, corrected by what a call really used", async () => {
    await using tested = await create();
    const { modelCalls } = tested.state;
    const limits = { tokensPerMinute: 6_000 };
    const reserve = () => modelCalls.reserve("m", limits, 3_000);
    expect(await reserve()).toBe(0);
    expect(await reserve()).toBe(60_000);
    await modelCalls.settle("m", limits, -3_000);
    await modelCalls.settle("m", limits, -3_000);
    expect(await reserve()).toBe(0);
    await modelCalls.settle("m", limits, 3_000);
    expect(await reserve()).toBe(120_000);
  });

  test("a call larger than the burst is let through when nothing else was", async () => {
    await using tested = await create();
    const { modelCalls } = tested.state;
    expect(await modelCalls.reserve("m", { tokensPerMinute: 1_000 }, 50_000)).toBe(0);
    expect(await modelCalls.reserve("m", { tokensPerMinute: 1_000 }, 1)).toBeGreaterThan(1_000_000);
  });

  test("a pause that a provider asks for holds for all replicas and that model alone", async () => {
    await using tested = await create();
    const { state } = tested;
    await using other = await tested.another();
    await state.modelCalls.fail("m", 20_000);
    expect(await blockedFor(other)).toBe(20_000);
    await other.modelCalls.settle("m", {}, 0);
    expect(await blockedFor(state)).toBe(20_000);
    expect(await blockedFor(state, "n")).toBe(0);
  });

  test("a provider that fails three times is not called, tried by one at a time, and trusted after one answer", async () => {
    await using tested = await create();
    const { state } = tested;
    const { modelCalls } = state;
    await modelCalls.fail("m", undefined);
    await modelCalls.fail("m", undefined);
    expect(await blockedFor(state)).toBe(0);
    // Those under way together count once.
    for (let call = 0; call < 8; call++) await modelCalls.fail("m", undefined);
    expect(await blockedFor(state)).toBe(1_000);
    await tested.pass(1_000);
    expect(await blockedFor(state)).toBe(0);
    expect(await modelCalls.blockedFor("m")).toMatchObject({ failing: true });
    await modelCalls.fail("m", undefined);
    // The fourth in a row: twice as long.
    expect(await blockedFor(state)).toBe(2_000);
    await modelCalls.fail("m", 20_000);
    expect(await modelCalls.blockedFor("m")).toMatchObject({ failing: false });
    await modelCalls.settle("m", {}, 0);
    expect(await blockedFor(state)).toBe(20_000);
  });
}
