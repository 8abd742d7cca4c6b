import type { EndedProblem, Seat, SessionRecord } from "@microremed/contracts";
import { expect, test } from "vitest";
import type { CreateState } from "./state-under-test.ts";

const aSession = (name: string, changes: Partial<SessionRecord> = {}): SessionRecord => ({
  ...{ id: `s${name.padEnd(20, "0")}`, tokenId: "a".repeat(10), experimentId: "exp-1" },
  ...{
    agent: "checker@1",
    model: "session/checker@1",
    owned: true,
    silenceSeconds: 60,
    openedAt: 1,
    problemsPerHour: 100,
  },
  ...changes,
});
const aSeat = (index: number, worker = "w1"): Seat => ({
  problem: `p${String(index).padStart(12, "0")}`,
  worker,
  episodeId: `exp-1.${String(index).padStart(4, "0")}`,
  turn: null,
});

const anEnd = ({ problem, worker }: Seat, outcome: EndedProblem["outcome"] = null): EndedProblem => ({
  ...{ problem, worker, outcome },
});

/** Sessions of outside agents: how many there may be, and who has which episode. */
export function testSessions(create: CreateState): void {
  test("a token has so many sessions and no more, until one is closed; others have theirs", async () => {
    await using tested = await create();
    const { sessions } = tested.state;
    const [one, two, three] = ["1", "2", "3"].map((name) => aSession(name)) as [
      SessionRecord,
      SessionRecord,
      SessionRecord,
    ];
    const other = aSession("4", { tokenId: "b".repeat(10) });
    expect(await sessions.open(one, 2)).toBe(true);
    expect(await sessions.open(two, 2)).toBe(true);
    expect(await sessions.open(three, 2)).toBe(false);
    expect(await sessions.use(three.id)).toBeUndefined();
    expect(await sessions.open(other, 2)).toBe(true);
    expect((await sessions.list(one.tokenId)).map(({ id }) => id).toSorted()).toEqual([one.id, two.id]);
    expect(await sessions.list(undefined)).toHaveLength(3);
    expect(await Promise.all([one, other].map(({ tokenId }) => sessions.count(tokenId)))).toEqual([2, 1]);
    expect(await sessions.count("c".repeat(10))).toBe(0);
    expect(await sessions.close(one)).toBe(true);
    expect(await sessions.close(one)).toBe(false);
    expect(await sessions.use(one.id)).toBeUndefined();
    expect(await sessions.open(three, 2)).toBe(true);
    const another = await tested.another();
    expect(await another.sessions.use(three.id)).toEqual({ session: three, seats: [], ended: [] });
    await another[Symbol.asyncDispose]();
  });

  test("an episode is given to one worker, and a worker has one at a time", async () => {
    await using tested = await create();
    const { sessions } = tested.state;
    const one = aSession("1");
    const two = aSession("2");
    const another = await tested.another();
    expect(await sessions.take(one, aSeat(0))).toBe(false);
    await sessions.open(one, 9);
    await sessions.open(two, 9);
    const [mine, theirs] = await Promise.all([
      sessions.take(one, aSeat(0)),
      another.sessions.take(two, { ...aSeat(0), problem: `p${"z".repeat(12)}` }),
    ]);
    expect([mine, theirs].toSorted()).toEqual([false, true]);
    const [winner, loser] = mine ? [one, two] : [two, one];
    expect(await sessions.take(winner, aSeat(1))).toBe(false);
    expect(await sessions.take(winner, aSeat(1, "w2"))).toBe(true);
    expect(await sessions.take(loser, aSeat(1))).toBe(false);
    const seats = (await sessions.use(winner.id))?.seats ?? [];
    expect(seats.map(({ worker, episodeId }) => [worker, episodeId]).toSorted()).toEqual([
      ["w1", "exp-1.0000"],
      ["w2", "exp-1.0001"],
    ]);
    await another[Symbol.asyncDispose]();
  });

  test("a seat is changed and left while the worker has it; an episode that was left is over for all", async () => {
    await using tested = await create();
    const { sessions } = tested.state;
    const one = aSession("1");
    await sessions.open(one, 9);
    const seat = aSeat(0);
    await sessions.take(one, seat);
    const asked = { ...seat, turn: { trial: 1, attempt: 2 } };
    expect(await sessions.update(one, asked)).toBe(true);
    expect((await sessions.use(one.id))?.seats).toEqual([asked]);
    expect(await sessions.update(one, { ...asked, problem: aSeat(7).problem })).toBe(false);
    await sessions.leave(one, anEnd({ ...seat, problem: aSeat(7).problem }));
    expect((await sessions.use(one.id))?.seats).toEqual([asked]);
    await sessions.leave(one, anEnd(seat));
    expect((await sessions.use(one.id))?.seats).toEqual([]);
    expect(await sessions.update(one, asked)).toBe(false);
    expect(await sessions.take(one, seat)).toBe(false);
    expect(await sessions.take(one, aSeat(1))).toBe(true);
  });

  test("the episodes of a closed session's workers may be taken by others", async () => {
    await using tested = await create();
    const { sessions } = tested.state;
    const [one, two] = [aSession("1"), aSession("2")];
    await sessions.open(one, 9);
    await sessions.open(two, 9);
    await sessions.take(one, aSeat(0));
    await sessions.take(one, aSeat(1, "w2"));
    await sessions.leave(one, anEnd(aSeat(0)));
    await sessions.close(one);
    expect(await sessions.take(two, aSeat(0))).toBe(false);
    expect(await sessions.take(two, aSeat(1))).toBe(true);
    expect(await sessions.update(one, aSeat(1, "w2"))).toBe(false);
    expect(await sessions.use(one.id)).toBeUndefined();
  });

  test("a session has so many workers", async () => {
    await using tested = await create();
    const { sessions } = tested.state;
    const one = aSession("1");
    await sessions.open(one, 9);
    for (let worker = 0; worker < 64; worker++)
      expect(await sessions.take(one, aSeat(worker, `w${worker}`))).toBe(true);
    expect(await sessions.take(one, aSeat(64, "w64"))).toBe(false);
    expect((await sessions.use(one.id))?.seats).toHaveLength(64);
    await sessions.leave(one, anEnd(aSeat(3, "w3")));
    expect(await sessions.take(one, aSeat(64, "w64"))).toBe(true);
    expect(await sessions.take(one, aSeat(65, "w65"))).toBe(false);
  });

  test("what came of a worker's last problem is kept, for as many workers as a session has", async () => {
    await using tested = await create();
    const { sessions } = tested.state;
    const one = aSession("1");
    await sessions.open(one, 9);
    const over = async (index: number, worker: string, outcome: EndedProblem["outcome"]): Promise<void> => {
      const seat = aSeat(index, worker);
      expect(await sessions.take(one, seat)).toBe(true);
      await sessions.leave(one, anEnd(seat, outcome));
    };
    const ended = async () => (await sessions.use(one.id))?.ended;
    await over(0, "w1", "solved");
    await over(1, "w2", null);
    await over(2, "w1", "not-solved");
    // Left again by a gateway that was slow: the later one stays.
    await sessions.leave(one, anEnd(aSeat(0), "solved"));
    expect(await ended()).toEqual([anEnd(aSeat(1, "w2")), anEnd(aSeat(2), "not-solved")]);
    for (let worker = 0; worker < 70; worker++) await over(10 + worker, `many-${worker}`, "solved");
    expect(await ended()).toHaveLength(64);
    expect((await ended())?.at(-1)?.worker).toBe("many-69");
    expect(await sessions.close(one)).toBe(true);
  });

  test("those without a sign of life are found", async () => {
    await using tested = await create();
    const { state } = tested;
    const [one, two] = [aSession("1"), aSession("2", { silenceSeconds: 300 })];
    await state.sessions.open(one, 9);
    await state.sessions.open(two, 9);
    await tested.pass(50_000);
    await state.sessions.use(one.id);
    await tested.pass(50_000);
    expect(await state.sessions.silent()).toEqual([]);
    await tested.pass(11_000);
    expect((await state.sessions.silent()).map(({ id }) => id)).toEqual([one.id]);
    await state.sessions.close(one);
    expect(await state.sessions.silent()).toEqual([]);
  });
}
