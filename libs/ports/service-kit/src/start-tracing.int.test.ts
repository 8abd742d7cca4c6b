import { connectNatsBus } from "@microremed/bus/nats";
import { retryable, silentLogger, terminal } from "@microremed/core";
import { startNatsServer } from "@microremed/servers";
import { expect, test } from "vitest";
import { z } from "zod";
import { createLogger } from "./logger.ts";
import { startTracing } from "./start-tracing.ts";
import { type OtlpReceiver, type SeenSpan, startOtlpReceiver } from "./testing/index.ts";
import { traceMessages, traceOutgoing } from "./trace-messages.ts";

const log = { ...silentLogger, hide: () => {} };
const traceparent = `00-${"a".repeat(32)}-${"b".repeat(16)}-01`;

const start = (receiver: OtlpReceiver, more: Record<string, string> = {}) =>
  startTracing(
    "tester",
    { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_EXPORTER_OTLP_PROTOCOL: "http/json", ...more },
    log,
  );

test("exports what happened, nested as it happened, and all of it at the end", async () => {
  await using receiver = await startOtlpReceiver();
  const tracing = await start(receiver);
  expect(tracing.on).toBe(true);
  const work = tracing.within("outer", { parent: traceparent, attributes: { a: "b" } }, async () => {
    await expect(
      tracing.within("inner", { kind: "client" }, async () => {
        throw terminal("model-refused", "it said sk-canary");
      }),
    ).rejects.toThrow("sk-canary");
  });
  await work;
  const span = { name: "known", startedAt: 1_000, endedAt: 3_000, attributes: {} };
  const known = `00-${"c".repeat(32)}-${"d".repeat(16)}-01`;
  tracing.record({ ...span, traceparent: known, parent: null, errorCode: "internal" });
  tracing.record({ ...span, name: "below", parent: known });
  await tracing[Symbol.asyncDispose]();

  const byName = Object.fromEntries(receiver.spans.map((span) => [span.name, span]));
  expect(byName["outer"]).toMatchObject({
    parentSpanId: "b".repeat(16),
    attributes: { a: "b" },
    failed: false,
  });
  expect(byName["inner"]).toMatchObject({
    parentSpanId: byName["outer"]?.spanId,
    kind: "client",
    failed: true,
    attributes: { "error.type": "model-refused" },
  });
  expect(byName["known"]).toMatchObject({
    traceId: "c".repeat(32),
    spanId: "d".repeat(16),
    startedAt: 1_000,
    endedAt: 3_000,
    failed: true,
  });
  expect(byName["known"]?.parentSpanId).toBeUndefined();
  expect(byName["below"]).toMatchObject({ traceId: "c".repeat(32), parentSpanId: "d".repeat(16) });
  expect(byName["below"]?.spanId).not.toBe("d".repeat(16));
  expect(byName["outer"]?.resource).toMatchObject({
    "service.name": "tester",
    "service.namespace": "microremed",
  });
  expect(receiver.text()).not.toContain("canary");
});

test("one trace over sending, delivering twice, answering and asking", async () => {
  await using nats = await startNatsServer();
  await using receiver = await startOtlpReceiver();
  const tracing = await start(receiver);
  const bus = await connectNatsBus({
    servers: nats.url,
    name: "tester",
    log: silentLogger,
    interceptors: [traceMessages(tracing)],
    outgoing: traceOutgoing(tracing),
  });
  await bus.ensureStreams();
  const ask = "microremed.rpc.probe.c1";
  await bus.serve(ask, "tester", z.object({}), async () => ({ answer: 1 }));
  const done = Promise.withResolvers<void>();
  const subject = "microremed.experiments.cancel";
  await bus.consume(
    {
      stream: "EXPERIMENTS",
      durable: "tester",
      subjects: [subject],
      schema: z.looseObject({}),
      concurrency: 1,
    },
    async (_, { attempt, fields }) => {
      fields["error_message"] = "what the model said";
      if (attempt === 1) throw retryable("cluster-unreachable", "try again");
      await bus.request(ask, {}, { schema: z.object({ answer: z.number() }), timeoutMs: 5_000 });
      done.resolve();
    },
  );
  const body = { experimentId: "exp" };
  await bus.publish(subject, body, { msgId: "1", headers: { traceparent } });
  await done.promise;
  await bus[Symbol.asyncDispose]();
  await tracing[Symbol.asyncDispose]();

  expect(new Set(receiver.spans.map(({ traceId }) => traceId))).toEqual(new Set(["a".repeat(32)]));
  const name = (span: SeenSpan | undefined) =>
    span && `${span.kind} ${span.name} ${span.attributes["microremed.delivery"] ?? ""}`.trim();
  const parentOf = (span: SeenSpan) => receiver.spans.find(({ spanId }) => spanId === span.parentSpanId);
  expect(receiver.spans.map((span) => [name(span), name(parentOf(span)), span.failed]).toSorted()).toEqual([
    ["client request rpc.probe", "consumer process experiments.cancel 2", false],
    ["consumer process experiments.cancel 1", undefined, true],
    ["consumer process experiments.cancel 2", undefined, false],
    ["producer send experiments.cancel", undefined, false],
    ["server process rpc.probe 1", "client request rpc.probe", false],
  ]);
  const deliveries = receiver.spans.filter(({ kind }) => kind === "consumer");
  expect(new Set(deliveries.map(({ parentSpanId }) => parentSpanId))).toEqual(new Set(["b".repeat(16)]));
  for (const { attributes } of deliveries) {
    expect(attributes).toMatchObject({
      "messaging.system": "nats",
      "messaging.operation.type": "process",
      "messaging.destination.name": subject,
      "microremed.experiment.id": "exp",
    });
  }
  expect(receiver.text()).not.toContain("what the model said");
});

test("log lines have the trace and the span that they were written in", async () => {
  await using receiver = await startOtlpReceiver();
  const tracing = await start(receiver);
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const logger = createLogger({ service: "tester", level: "info", destination });
  await tracing.within("work", { parent: traceparent }, async () => logger.info({}, "inside"));
  logger.info({}, "outside");
  await tracing[Symbol.asyncDispose]();
  const [inside, outside] = lines.map((line) => JSON.parse(line));
  expect(inside).toMatchObject({ trace_id: "a".repeat(32), span_id: receiver.spans[0]?.spanId });
  expect(outside).not.toHaveProperty("trace_id");
});

test("uses protobuf by default, at the path of the specification", async () => {
  await using receiver = await startOtlpReceiver();
  const tracing = await startTracing("tester", { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url }, log);
  await tracing.within("work", {}, async () => {});
  await tracing[Symbol.asyncDispose]();
  expect(receiver.exports).toEqual([{ path: "/v1/traces", contentType: "application/x-protobuf" }]);
  expect(receiver.text()).toContain("work");
});

test("keeps the stated part of the traces, whole ones, whatever the sender says", async () => {
  await using receiver = await startOtlpReceiver();
  const tracing = await start(receiver, {
    OTEL_TRACES_SAMPLER: "parentbased_traceidratio",
    OTEL_TRACES_SAMPLER_ARG: "0.5",
  });
  const ids = Array.from({ length: 40 }, (_, i) =>
    `${(i * 0x6660001).toString(16).padStart(8, "0")}`.repeat(4),
  );
  for (const id of ids) {
    const parent = `00-${id}-${"b".repeat(16)}-01`;
    await tracing.within("outer", { parent }, () => tracing.within("inner", {}, async () => {}));
  }
  await tracing[Symbol.asyncDispose]();
  const spansOf = (id: string) => receiver.spans.filter(({ traceId }) => traceId === id).length;
  const counts = ids.map(spansOf);
  expect(new Set(counts)).toEqual(new Set([0, 2]));
});

test("a receiver that is away stops nothing, and its absence is said once", async () => {
  const said: string[] = [];
  const away = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9", OTEL_BSP_SCHEDULE_DELAY: "10" };
  const warn = (_: object, message: string) => void said.push(message);
  const tracing = await startTracing("tester", away, { ...log, warn });
  for (let i = 0; i < 3; i++) {
    expect(await tracing.within("work", {}, async () => i)).toBe(i);
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
  await tracing[Symbol.asyncDispose]();
  expect(said.length).toBeLessThanOrEqual(1);
});
