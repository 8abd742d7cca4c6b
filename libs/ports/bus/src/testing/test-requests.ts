import { streams, subjects } from "@microremed/contracts";
import { terminal } from "@microremed/core";
import { trace } from "@opentelemetry/api";
import { expect, test } from "vitest";
import { z } from "zod";
import type { Bus } from "../bus.ts";
import type { SuiteContext } from "./bus-under-test.ts";

const Question = z.object({ n: z.int() });
const Answer = z.strictObject({ twice: z.int() });
const timeoutMs = 5_000;

export function testRequests({ bus, connect }: SuiteContext): void {
  const double = "microremed.rpc.double";
  const ask = (body: unknown, subject = double) =>
    bus().request(subject, body, { schema: Answer, timeoutMs });
  const serveDouble = (by: Bus, onAsked: (n: number) => void = () => {}) =>
    by.serve(double, "workers", Question, async ({ n }) => {
      onAsked(n);
      if (n === 13) throw terminal("unknown-experiment", "no 13 here", { n });
      return { twice: 2 * n };
    });

  test("asks and answers, and says which service is missing", async () => {
    await using _served = await serveDouble(bus());
    expect(await ask({ n: 21 })).toEqual({ twice: 42 });
    await expect(ask({ n: 13 })).rejects.toMatchObject({
      code: "unknown-experiment",
      severity: "terminal",
      details: { n: 13 },
    });
    await expect(ask({ n: "x" })).rejects.toMatchObject({ code: "invalid-message" });
    await expect(ask({}, "microremed.rpc.nobody")).rejects.toMatchObject({
      code: "bus-unreachable",
      severity: "retryable",
      message: expect.stringContaining("microremed.rpc.nobody (is the service that serves it running?)"),
    });
  });

  test("what is served is answered from then on, also over another connection", async () => {
    await using other = await connect();
    for (let n = 0; n < 30; n++) {
      const subject = `${double}.${n}`;
      await using _served = await bus().serve(subject, "workers", Question, async (asked) => ({
        twice: 2 * asked.n,
      }));
      expect(await other.request(subject, { n }, { schema: Answer, timeoutMs })).toEqual({ twice: 2 * n });
    }
  });

  test("servers of one queue share the requests; each is answered once", async () => {
    await using other = await connect();
    const asked: number[] = [];
    await using _one = await serveDouble(bus(), (n) => asked.push(n));
    await using _two = await serveDouble(other, (n) => asked.push(n));
    const numbers = Array.from({ length: 20 }, (_, i) => i + 100);
    const answers = await Promise.all(numbers.map((n) => ask({ n })));
    expect(answers.map(({ twice }) => twice)).toEqual(numbers.map((n) => 2 * n));
    expect(asked.toSorted()).toEqual(numbers);
  });

  test("an answer that does not come in time, or is not as expected, is an error", async () => {
    const silent = "microremed.rpc.silent";
    const never = Promise.withResolvers<never>();
    const interrupt = new AbortController();
    await using hanging = await connect({ interrupt: interrupt.signal });
    const served = await hanging.serve(silent, "q", Question, (_, { signal }) => {
      signal.addEventListener("abort", () => never.reject(signal.reason));
      return never.promise;
    });
    const asking = bus().request(silent, { n: 1 }, { schema: Answer, timeoutMs: 100 });
    await expect(asking).rejects.toMatchObject({ code: "bus-unreachable", severity: "retryable" });
    interrupt.abort(new Error("stop"));
    await served[Symbol.asyncDispose]();
    await using _strange = await bus().serve(silent, "q", Question, async () => ({ thrice: 3 }));
    await expect(ask({ n: 1 }, silent)).rejects.toMatchObject({ code: "invalid-message" });
  });

  test("an answer or a request that is too large is an error that says so", async () => {
    const large = "microremed.rpc.large";
    await using _served = await bus().serve(large, "q", Question, async () => ({
      text: "x".repeat(2 ** 20),
    }));
    const tooLarge = {
      code: "invalid-message",
      severity: "terminal",
      message: expect.stringMatching(/microremed\.rpc\.large has \d+ bytes/),
    };
    await expect(ask({ n: 1 }, large)).rejects.toMatchObject(tooLarge);
    await expect(ask({ n: "x".repeat(2 ** 20) }, large)).rejects.toMatchObject(tooLarge);
    await using _failing = await bus().serve(`${large}.error`, "q", Question, async () => {
      throw terminal("internal", "x".repeat(20_000), { dump: "x".repeat(2 ** 20) });
    });
    await expect(ask({ n: 1 }, `${large}.error`)).rejects.toMatchObject({
      code: "internal",
      message: "x".repeat(8192),
      details: expect.not.objectContaining({ dump: expect.anything() }),
    });
  });

  test("a request goes on in the trace of what asks", async () => {
    const traces: (string | undefined)[] = [];
    const inner = "microremed.rpc.inner";
    const note = (): void => void traces.push(trace.getActiveSpan()?.spanContext().traceId);
    await using _inner = await bus().serve(inner, "q", Question, async () => {
      note();
      return { twice: 2 };
    });
    await using _outer = await bus().serve(double, "q", Question, async (body) => {
      note();
      return ask(body, inner);
    });
    expect(await ask({ n: 1 })).toEqual({ twice: 2 });
    expect(traces).toHaveLength(2);
    expect(traces[0]).toBe(traces[1]);
  });

  test("who stops serving answers what was asked before", async () => {
    const gate = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const slow = "microremed.rpc.slow";
    const served = await bus().serve(slow, "q", Question, async () => {
      begun.resolve();
      await gate.promise;
      return { twice: 1 };
    });
    const asking = ask({ n: 1 }, slow);
    await begun.promise;
    const ending = served[Symbol.asyncDispose]();
    gate.resolve();
    await ending;
    expect(await asking).toEqual({ twice: 1 });
    await expect(ask({ n: 1 }, slow)).rejects.toMatchObject({ code: "bus-unreachable" });
  });

  const request = { environment: "simple-micro", model: "reference/noop" };
  const submitted = {
    stream: streams.experiments.name,
    durable: "x",
    subjects: [subjects.submit],
    schema: z.string(),
    format: "text",
    concurrency: 1,
  } as const;

  test("submits and gets the scheduler's answer in its inbox", async () => {
    const reply = { status: "accepted", experimentId: "exp-9", episodes: 3 };
    await using _scheduler = await bus().consume(submitted, async (_, context) => context.reply?.(reply));
    expect(await bus().submit(request, { timeoutMs })).toEqual(reply);
  });

  test("a request without an answer is reported as stored", async () => {
    await expect(bus().submit(request, { timeoutMs: 100 })).rejects.toMatchObject({
      code: "deadline-exceeded",
      message: expect.stringContaining("the request is stored"),
    });
    const seen: string[] = [];
    await using _scheduler = await bus().consume(submitted, async (text) => void seen.push(text));
    await expect.poll(() => seen).toEqual([JSON.stringify(request)]);
  });

  test("no service can be made to answer on the product's own subjects", async () => {
    const answerable: boolean[] = [];
    await using _scheduler = await bus().consume(submitted, async (_, { reply }) => {
      answerable.push(reply !== undefined);
    });
    for (const target of [subjects.cancel, "a b", "_INBOX.mine"])
      await bus().publish(subjects.submit, request, { headers: { "Microremed-Reply-To": target } });
    await expect.poll(() => answerable).toEqual([false, false, true]);
  });
}
