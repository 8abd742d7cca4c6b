import type { Bus } from "@microremed/bus";
import { connectNatsBus } from "@microremed/bus/nats";
import { PlaybookAnswerReply, subjects } from "@microremed/contracts";
import { silentLogger } from "@microremed/core";
import { startNatsServer } from "@microremed/servers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { awaitPlaybook } from "./await-playbook.ts";

const stack = new AsyncDisposableStack();
afterAll(() => stack.disposeAsync());
let bus: Bus;
beforeAll(async () => {
  const nats = stack.use(await startNatsServer());
  bus = stack.use(await connectNatsBus({ servers: nats.url, name: "test", log: silentLogger }));
});

const { signal } = new AbortController();
const context = { signal, stopping: signal };
const turn = { episodeId: "exp-1.0003", attempt: 2 };
const answer = (playbook: string, episodeId = turn.episodeId) =>
  bus.request(
    subjects.answer(episodeId),
    { episodeId, playbook },
    { schema: PlaybookAnswerReply, timeoutMs: 2_000 },
  );

test("a person's playbook is taken once, and the person gets the reply when it is stored", async () => {
  const taken: string[] = [];
  const stored = Promise.withResolvers<void>();
  const waiting = awaitPlaybook(
    bus,
    turn,
    30,
    async (playbook) => {
      taken.push(playbook);
      await stored.promise;
    },
    context,
  );
  let replied = false;
  const first = expect.poll(() => answer("- hosts: all")).toEqual({ attempt: 2 });
  void first.then(() => (replied = true));
  await expect.poll(() => taken.length).toBe(1);
  await expect(answer("- hosts: none")).rejects.toMatchObject({ code: "invalid-request" });
  expect(replied).toBe(false);
  stored.resolve();
  await first;
  expect(await waiting).toBe(true);
  expect(taken).toEqual(["- hosts: all"]);
});

test("the wait ends with the budget, and an episode that does not wait has no responder", async () => {
  expect(await awaitPlaybook(bus, turn, 0.1, async () => {}, context)).toBe(false);
  await expect(answer("- hosts: all", "exp-1.0009")).rejects.toMatchObject({ code: "bus-unreachable" });
});

test("a playbook that cannot be stored is neither taken nor confirmed", async () => {
  const broken = awaitPlaybook(bus, turn, 30, () => Promise.reject(new Error("no Redis")), context);
  const outcome = expect(broken).rejects.toThrow("no Redis");
  await expect.poll(() => answer("- hosts: all").catch(String)).toContain("no Redis");
  await outcome;
});

test("a remediator that stops does not wait for a person, and what was submitted before is taken", async () => {
  const stopping = new AbortController();
  const reason = new Error("the service is stopping");
  const idle = awaitPlaybook(bus, turn, 600, async () => {}, { signal, stopping: stopping.signal });
  const stored = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const other = { ...turn, episodeId: "exp-1.0004" };
  const answered = awaitPlaybook(
    bus,
    other,
    600,
    async () => {
      begun.resolve();
      await stored.promise;
    },
    { signal, stopping: stopping.signal },
  );
  const submitted = async () => {
    await expect.poll(() => answer("- hosts: all", other.episodeId)).toEqual({ attempt: 2 });
  };
  const reply = submitted();
  await begun.promise;
  stopping.abort(reason);
  await expect(idle).rejects.toBe(reason);
  stored.resolve();
  expect(await answered).toBe(true);
  await reply;
});
