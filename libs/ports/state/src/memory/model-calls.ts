import type { ModelCalls } from "../model-calls.ts";
import { retention } from "../retention.ts";
import { closeCircuit, closedCircuit, failCall, passCircuit } from "./circuit.ts";
import type { ModelData } from "./memory-data.ts";
import type { MemoryLink } from "./memory-link.ts";
import { reserveCall, settleTokens } from "./reserve-call.ts";

const newModel: ModelData = { times: { requestsAt: null, tokensAt: null }, circuit: closedCircuit };

export function createModelCalls({ data, use }: MemoryLink): ModelCalls {
  const { models } = data;
  const find = (model: string): ModelData => models.get(model) ?? newModel;
  const end = (): number => data.now() + retention.modelCallsSeconds * 1000;
  /** Times of pauses are whole ms. */
  const nowMs = (): number => Math.floor(data.now());
  return {
    reserve: (model, limits, tokens) =>
      use(() => {
        const { requestsPerMinute = 0, tokensPerMinute = 0 } = limits;
        if (requestsPerMinute === 0 && tokensPerMinute === 0) return 0;
        const known = find(model);
        const { waitMs, ...times } = reserveCall(known.times, limits, tokens, data.now());
        models.set(model, { ...known, times }, end());
        return waitMs;
      }),
    blockedFor: (model) =>
      use(() => {
        const known = models.get(model);
        if (!known) return { ms: 0, failing: false };
        const { circuit, ms, failing } = passCircuit(known.circuit, nowMs());
        models.set(model, { ...known, circuit });
        return { ms, failing };
      }),
    settle: (model, limits, moreTokens) =>
      use(() => {
        const known = models.get(model);
        if (!known) return;
        const { times, circuit } = known;
        const tokensAt = settleTokens(times.tokensAt, limits, moreTokens);
        models.set(model, { times: { ...times, tokensAt }, circuit: closeCircuit(circuit) });
      }),
    fail: (model, retryAfterMs) =>
      use(() => {
        const known = find(model);
        const pauseMs = retryAfterMs === undefined ? undefined : Math.ceil(retryAfterMs);
        models.set(model, { ...known, circuit: failCall(known.circuit, pauseMs, nowMs()) }, end());
      }),
  };
}
