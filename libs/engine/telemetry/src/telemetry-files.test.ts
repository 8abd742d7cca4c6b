import { parquetMetadata, parquetReadObjects } from "hyparquet";
import { expect, test } from "vitest";
import { levelOf } from "./level-of.ts";
import { telemetryFiles } from "./telemetry-files.ts";
import { TelemetryWindow } from "./window.ts";

const window: TelemetryWindow = {
  version: 1,
  ...{ namespace: "shop", from: 1_000, to: 31_000, stepSeconds: 15 },
  at: [16_000, 31_000],
  pods: [
    {
      ...{ pod: "cart-7d9f8b6c5-abcde", workload: "cart" },
      values: {
        ...{ cpu: [0.5, null], memory: [64e6, null], requests: [2, null] },
        ...{ errors: [0, null], latency: [null, null], latency_p95: [12.5, null] },
      },
    },
  ],
  traces: [
    {
      id: "0123456789abcdef0123456789abcdef",
      start: 2_000.5,
      spans: [
        ["front", "GET /", "server", 0, 10, -1, "", "front-1"],
        ["cart", "get", "client", 1.25, 5, 0, "timeout", "cart-1"],
      ],
    },
  ],
  logs: [{ at: 3_000, pod: "cart-1", workload: "cart", container: "server", text: 'ERROR no, "x"' }],
  left: { pods: 0, traces: 0, lines: 0 },
  missing: [],
};

const text = (files: ReadonlyMap<string, string | Uint8Array>, name: string): string =>
  String(files.get(name));

test("metrics are the same rows as CSV and as Parquet, without steps in which a pod was not measured", async () => {
  const files = telemetryFiles(TelemetryWindow.parse(window), { known: true });
  expect(text(files, "metrics.csv")).toBe(
    "time_unix_ms,pod,workload,cpu_cores,memory_bytes,requests_per_second,error_ratio,latency_mean_ms,latency_p95_ms\n" +
      "16000,cart-7d9f8b6c5-abcde,cart,0.5,64000000,2,0,,12.5\n",
  );
  const { buffer } = files.get("metrics.parquet") as Uint8Array<ArrayBuffer>;
  expect(await parquetReadObjects({ file: buffer })).toEqual([
    {
      time: new Date(16_000),
      time_unix_ms: 16_000n,
      pod: "cart-7d9f8b6c5-abcde",
      workload: "cart",
      cpu_cores: 0.5,
      memory_bytes: 64e6,
      requests_per_second: 2,
      error_ratio: 0,
      latency_mean_ms: null,
      latency_p95_ms: 12.5,
    },
  ]);
  const [, time] = parquetMetadata(buffer).schema;
  expect(time).toMatchObject({ name: "time", type: "INT64", converted_type: "TIMESTAMP_MILLIS" });
  expect(JSON.parse(text(files, "labels.json"))).toEqual({ known: true });
});

test("logs and traces are JSON lines of OpenTelemetry's protocol", () => {
  const files = telemetryFiles(window, {});
  const [log] = text(files, "logs.jsonl")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const [{ resource, scopeLogs }] = log.resourceLogs;
  expect(resource.attributes).toContainEqual({ key: "service.name", value: { stringValue: "cart" } });
  expect(scopeLogs[0].logRecords).toEqual([
    {
      timeUnixNano: "3000000000",
      severityNumber: 17,
      severityText: "ERROR",
      body: { stringValue: 'ERROR no, "x"' },
    },
  ]);
  const { resourceSpans } = JSON.parse(text(files, "traces.jsonl"));
  const [front, cart] = resourceSpans.map(
    (one: { scopeSpans: { spans: object[] }[] }) => one.scopeSpans[0]?.spans[0],
  );
  expect(front).toMatchObject({
    kind: 2,
    startTimeUnixNano: "2000500000",
    endTimeUnixNano: "2010500000",
    status: {},
  });
  expect(cart).toMatchObject({
    parentSpanId: front.spanId,
    kind: 3,
    startTimeUnixNano: "2001750000",
    status: { code: 2 },
    attributes: [{ key: "error.type", value: { stringValue: "timeout" } }],
  });
});

test("the level of a line is the worst that its beginning names", () => {
  expect(levelOf('{"severity":"info","message":"request completed"}')).toBe("INFO");
  expect(levelOf("12:00 WARN slow response")).toBe("WARN");
  expect(levelOf("[error] info about it")).toBe("ERROR");
  expect(levelOf("1:M 01 Jan * Ready to accept connections")).toBeUndefined();
});
