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
    /** When each call may start, ms: not before, and not after. */
    const starts: { from: number; to: number }[] = [];
    for (let call = 0; call < 120; call++) {
      const replica = call % 2 ? state : other;
      const from = replica.now();
      const wait = await replica.modelCalls.reserve("m", limits, 1);
      starts.push({ from: from + wait, to: replica.now() + wait });
    }
    const [first] = starts;
    if (!first) throw new Error("no call");
    // What the clocks of two connections may differ by.
    const slack = 100;
    expect((starts[5]?.from ?? 0) - first.to).toBeLessThan(1_000);
    expect((starts[6]?.to ?? 0) - first.from).toBeGreaterThan(1_000 - slack);
    // Every minute, wherever it begins: a call and the sixtieth after it are a minute apart.
    for (let call = 0; call + 60 < starts.length; call++) {
      const [one, later] = [starts[call] ?? first, starts[call + 60] ?? first];
      expect(later.to - one.from).toBeGreaterThan(60_000 - slack);
      expect(later.from - one.to).toBeLessThan(66_000 + slack);
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
    expect(await reserve()).toBeGreaterThan(50_000);
    await modelCalls.settle("m", limits, -3_000);
    await modelCalls.settle("m", limits, -3_000);
    expect(await reserve()).toBeLessThan(1_000);
    await modelCalls.settle("m", limits, 3_000);
    expect(await reserve()).toBeGreaterThan(105_000);
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
    expect(await blockedFor(other)).toBeGreaterThan(10_000);
    await other.modelCalls.settle("m", {}, 0);
    expect(await blockedFor(state)).toBeGreaterThan(10_000);
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
    expect(await blockedFor(state)).toBeGreaterThan(0);
    await tested.pass(1_100);
    expect(await blockedFor(state)).toBe(0);
    expect(await modelCalls.blockedFor("m")).toMatchObject({ failing: true });
    await modelCalls.fail("m", undefined);
    // The fourth in a row: twice as long.
    expect(await blockedFor(state)).toBeGreaterThan(1_000);
    await modelCalls.fail("m", 20_000);
    expect(await modelCalls.blockedFor("m")).toMatchObject({ failing: false });
    await modelCalls.settle("m", {}, 0);
    expect(await blockedFor(state)).toBeGreaterThan(10_000);
  });
}
