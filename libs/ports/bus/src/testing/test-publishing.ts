import { subjects } from "@microremed/contracts";
import { trace } from "@opentelemetry/api";
import { expect, test } from "vitest";
import type { Outgoing } from "../bus.ts";
import { consumeShard, restore, type SuiteContext } from "./bus-under-test.ts";

export function testPublishing({ bus, connect }: SuiteContext): void {
  test("delivers what is published, once per message id, and passes trace and headers on", async () => {
    const seen: { episode: string; trace: string | undefined; header: string | undefined }[] = [];
    const { subject, consumption } = await consumeShard(bus(), "a", async (body, context) => {
      seen.push({
        episode: body.episodeId,
        trace: trace.getActiveSpan()?.spanContext().traceId,
        header: context.headers["x-note"],
      });
    });
    await using _running = consumption;
    const headers = { traceparent: `00-${"c".repeat(32)}-${"d".repeat(16)}-01`, "X-Note": "kept" };
    for (let i = 0; i < 3; i++) await bus().publish(subject, restore("a"), { msgId: "a/1", headers });
    await bus().publish(subject, restore("b"), { msgId: "a/2" });
    await expect.poll(() => seen.length).toBe(2);
    expect(seen[0]).toEqual({ episode: "ep-a.0001", trace: "c".repeat(32), header: "kept" });
  });

  test("an id is remembered after its message has been handled", async () => {
    const seen: string[] = [];
    const { subject, consumption } = await consumeShard(bus(), "ids", async (body) => {
      seen.push(body.episodeId);
    });
    await using _running = consumption;
    await bus().publish(subject, restore("one"), { msgId: "ids/1" });
    await expect.poll(() => seen).toEqual(["ep-one.0001"]);
    await expect.poll(() => bus().waitingSubjects("COMMANDS_INJECTOR", subject)).toEqual([]);
    await bus().publish(subject, restore("one"), { msgId: "ids/1" });
    await bus().publish(subject, restore("two"), { msgId: "ids/2" });
    await expect.poll(() => seen).toEqual(["ep-one.0001", "ep-two.0001"]);
  });

  test("what a handler publishes goes on in the trace of its message", async () => {
    const traces: (string | undefined)[] = [];
    const note = (): void => void traces.push(trace.getActiveSpan()?.spanContext().traceId);
    const second = await consumeShard(bus(), "chain-2", async () => note());
    await using _second = second.consumption;
    const first = await consumeShard(bus(), "chain-1", async () => {
      note();
      await bus().publish(second.subject, restore("chain"));
    });
    await using _first = first.consumption;
    await bus().publish(first.subject, restore("chain"));
    await expect.poll(() => traces.length).toBe(2);
    expect(traces[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(traces[1]).toBe(traces[0]);
  });

  test("refuses to publish what the subject's schema does not allow", async () => {
    const wrong = bus().publish(subjects.command("restore", "x"), {
      ...restore("a"),
      trial: 0,
      color: "red",
    });
    await expect(wrong).rejects.toMatchObject({
      code: "invalid-message",
      message: expect.stringContaining("trial"),
    });
  });

  test.each([undefined, "too-large"])(
    "refuses a body that is too large, id %s, and says so",
    async (msgId) => {
      const body = { environment: "x".repeat(2 ** 20) };
      const publishing = bus().publish(subjects.submit, body, msgId === undefined ? {} : { msgId });
      await expect(publishing).rejects.toMatchObject({
        code: "invalid-message",
        severity: "terminal",
        message: expect.stringMatching(
          /microremed\.experiments\.submit has 10486\d\d bytes.* at most 1048576/,
        ),
      });
    },
  );

  test("refuses a subject that no stream takes", async () => {
    await expect(bus().publish("microremed.nowhere", {})).rejects.toMatchObject({
      code: "bus-unreachable",
      message: expect.stringContaining("no stream takes it"),
    });
  });

  test("wraps what is sent and what is handled", async () => {
    const sent: Outgoing[] = [];
    const order: string[] = [];
    await using wrapped = await connect({
      outgoing: (message, send) => {
        sent.push(message);
        return send();
      },
      interceptors: ["outer", "inner"].map((name) => (next) => async (body, context) => {
        order.push(name);
        return next(body, context);
      }),
    });
    const { subject, consumption } = await consumeShard(wrapped, "wrapped", async () => {
      order.push("handler");
    });
    await using _running = consumption;
    await wrapped.publish(subject, restore("w"), { headers: { "X-Note": "n" } });
    await expect.poll(() => order).toEqual(["outer", "inner", "handler"]);
    expect(sent).toEqual([{ kind: "publish", subject, headers: { "X-Note": "n" } }]);
  });

  test("a bus that is closed is not connected, and publishing on it says so", async () => {
    const closed = await connect();
    expect(closed.connected).toBe(true);
    await closed[Symbol.asyncDispose]();
    expect(closed.connected).toBe(false);
    const publishing = closed.publish(subjects.command("restore", "x"), restore("x"));
    await expect(publishing).rejects.toMatchObject({ code: "bus-unreachable", severity: "retryable" });
  });
}
