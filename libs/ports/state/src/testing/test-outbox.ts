import { expect, test } from "vitest";
import { aMessage, anEpisode, claimedNames, createExperiment } from "./builders.ts";
import type { CreateState } from "./state-under-test.ts";

export function testOutbox(create: CreateState): void {
  test("a claimed message comes back when its publisher died, and is gone once deleted", async () => {
    await using tested = await create();
    const { state } = tested;
    await createExperiment(state, { id: "one" });
    const [first] = await state.outbox.claim({ limit: 10, claimMs: 30_000 });
    expect(await state.outbox.claim({ limit: 10, claimMs: 30_000 })).toEqual([]);
    await tested.pass(30_001);
    expect(await state.outbox.claim({ limit: 10, claimMs: 60_000 })).toEqual([first]);
    await state.outbox.release([first?.id ?? ""]);
    expect(await state.outbox.claim({ limit: 10, claimMs: 60_000 })).toEqual([first]);
    await state.outbox.delete([first?.id ?? ""]);
    expect(await state.outbox.size()).toBe(0);
  });

  test("the messages of a transition are its caller's to publish, and anybody's when the caller does not", async () => {
    await using tested = await create();
    const { state } = tested;
    await createExperiment(state, { id: "one" });
    await claimedNames(state);
    const next = { ...anEpisode("one", 0), state: "done" as const };
    const sent = [aMessage("a"), aMessage("b")];
    const { messages } = await state.episodes.transition(0, { next, messages: sent, claimMs: 30_000 });
    expect(messages).toMatchObject(sent);
    expect(await claimedNames(state)).toEqual([]);
    await state.outbox.delete(messages.slice(0, 1).map(({ id }) => id));
    await tested.pass(30_001);
    expect(await state.outbox.claim({ limit: 10, claimMs: 60_000 })).toEqual(messages.slice(1));
  });

  test("messages are handed out in the order in which they were sent, at most so many at once", async () => {
    await using tested = await create();
    const { state } = tested;
    for (const id of ["exp-c", "exp-a", "exp-b"]) await createExperiment(state, { id });
    const next = async (): Promise<string[]> => {
      const claimed = await state.outbox.claim({ limit: 2, claimMs: 60_000 });
      return claimed.map(({ msgId }) => msgId);
    };
    expect(await next()).toEqual(["exp-c/started", "exp-a/started"]);
    expect(await next()).toEqual(["exp-b/started"]);
    expect(await state.outbox.size()).toBe(3);
    await state.outbox.release([]);
    await state.outbox.delete([]);
    expect(await next()).toEqual([]);
  });
}
