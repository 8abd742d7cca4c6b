import { episodeId } from "@microremed/contracts";
import fc from "fast-check";
import { durationMs, experimentId, leaseOf, models, pick, step, which } from "./step.ts";

const limit = fc.integer({ min: 1, max: 5 });

export const outboxSteps = [
  step("claimOutbox", fc.record({ limit, claimMs: durationMs }), (state, options) =>
    state.outbox.claim(options),
  ),
  step("releaseOutbox", which, (state, number, { messageIds }) => {
    const id = pick(messageIds, number);
    return state.outbox.release(id === undefined ? [] : [id]);
  }),
  step("deleteOutbox", which, (state, number, { messageIds }) => {
    const id = pick(messageIds, number);
    return state.outbox.delete(id === undefined ? [] : [id]);
  }),
  step("outboxSize", fc.constant(null), (state) => state.outbox.size()),
];

const conversation = fc.record({
  episodeId: experimentId.map((id) => episodeId(id, 0)),
  trial: fc.constant(1),
});

export const conversationSteps = [
  step("append", fc.tuple(conversation, fc.nat(2), fc.nat(1)), async (state, [key, count, off]) => {
    const { length } = await state.conversations.read(key);
    const messages = Array.from({ length: count }, (_, i) => ({
      role: "user" as const,
      content: `${length + i}`,
    }));
    return state.conversations.append(key, length + off, messages);
  }),
  step("read", conversation, (state, key) => state.conversations.read(key)),
];

const holder = fc.constantFrom("a", "b");
const stage = { trial: 1, attempt: 0, stage: "restore" as const };
/** Claims end by Redis's own clock, so they last for long. */
const claimMs = 630_000;

export const claimSteps = [
  step("take", fc.tuple(which, holder), (state, [number, name], history) => {
    const { episodeId: id, ...arena } = leaseOf(history, number);
    return state.claims.take({ episodeId: id, ...stage, arena }, name, claimMs);
  }),
  step("renew", fc.tuple(which, holder), (state, [number, name], history) => {
    const { episodeId: id, ...arena } = leaseOf(history, number);
    return state.claims.renew({ episodeId: id, ...stage, arena }, name, claimMs);
  }),
  step("releaseClaim", fc.tuple(which, holder), (state, [number, name], history) => {
    const { episodeId: id, ...arena } = leaseOf(history, number);
    return state.claims.release({ episodeId: id, ...stage, arena }, name);
  }),
  step("isHeld", which, (state, number, history) =>
    state.claims.isHeld({ episodeId: leaseOf(history, number).episodeId, ...stage }),
  ),
  step("store", fc.tuple(which, holder), (state, [number, name], history) => {
    const { episodeId: id, experimentId: experiment } = leaseOf(history, number);
    const body = { status: "ok" as const, how: "reset" as const, damage: null };
    return state.results.store({ experimentId: experiment, episodeId: id, ...stage, body }, name);
  }),
  step("result", which, (state, number, history) =>
    state.results.get({ episodeId: leaseOf(history, number).episodeId, ...stage }),
  ),
];

const model = fc.constantFrom(...models);
const limits = fc.record({
  requestsPerMinute: fc.constantFrom(undefined, 1, 7, 60),
  tokensPerMinute: fc.constantFrom(undefined, 1_000, 6_000),
});
const pauseMs = fc.constantFrom(undefined, undefined, undefined, 0, 500.5, 20_000);

export const modelSteps = [
  step("reserve", fc.tuple(model, limits, fc.nat(5_000)), (state, [name, some, tokens]) =>
    state.modelCalls.reserve(name, some, tokens),
  ),
  step("blockedFor", model, (state, name) => state.modelCalls.blockedFor(name)),
  step("settle", fc.tuple(model, limits, fc.integer({ min: -3_000, max: 3_000 })), (state, drawn) =>
    state.modelCalls.settle(...drawn),
  ),
  step("fail", fc.tuple(model, pauseMs), (state, drawn) => state.modelCalls.fail(...drawn)),
];
