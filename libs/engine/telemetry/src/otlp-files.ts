import { createHash } from "node:crypto";
import { levelOf } from "./level-of.ts";
import type { TelemetryWindow, WindowTrace } from "./window.ts";

const attribute = (key: string, value: string): object => ({ key, value: { stringValue: value } });
const resource = (pairs: Readonly<Record<string, string>>): object => ({
  attributes: Object.entries(pairs).map(([key, value]) => attribute(key, value)),
});
/** Ms since the epoch as OTLP writes times. */
const nanos = (ms: number): string => `${BigInt(Math.round(ms * 1000)) * 1000n}`;
const jsonLines = (all: readonly object[]): string => all.map((one) => `${JSON.stringify(one)}\n`).join("");

const scope = { name: "microremed" };
const severityNumbers = { DEBUG: 5, INFO: 9, WARN: 13, ERROR: 17 } as const;

/** The logs of a window: one line of OTLP's JSON (`resourceLogs`) per line that a program printed. */
export function logLines({ namespace, logs }: TelemetryWindow): string {
  return jsonLines(
    logs.map(({ at, pod, workload, container, text }) => {
      const level = levelOf(text);
      const of = {
        "service.name": workload,
        "k8s.namespace.name": namespace,
        "k8s.pod.name": pod,
        "k8s.container.name": container,
      };
      const record = {
        timeUnixNano: nanos(at),
        ...(level && { severityNumber: severityNumbers[level], severityText: level }),
        body: { stringValue: text },
      };
      return { resourceLogs: [{ resource: resource(of), scopeLogs: [{ scope, logRecords: [record] }] }] };
    }),
  );
}

const spanKinds: Readonly<Record<string, number>> = { internal: 1, server: 2, client: 3 };

/** 16 hexadecimal digits that name a span of a trace. */
export function spanId(trace: string, position: number): string {
  return createHash("sha256").update(`${trace}/${position}`).digest("hex").slice(0, 16);
}

/** The traces of a window: one line of OTLP's JSON (`resourceSpans`) per trace. */
export function traceLines({ namespace, traces }: TelemetryWindow): string {
  return jsonLines(
    traces.map((trace) => {
      const spans = trace.spans.map((span, position) => ({ span, position }));
      const pods = Map.groupBy(spans, ({ span }) => `${span[0]}/${span[7]}`);
      return {
        resourceSpans: [...pods.values()].map((own) => {
          const [service = "", , , , , , , pod = ""] = own[0]?.span ?? [];
          const of = {
            "service.name": service,
            "k8s.namespace.name": namespace,
            ...(pod !== "" && { "k8s.pod.name": pod }),
          };
          return {
            resource: resource(of),
            scopeSpans: [{ scope, spans: own.map(({ position }) => spanOf(trace, position)) }],
          };
        }),
      };
    }),
  );
}

function spanOf({ id, start, spans }: WindowTrace, position: number): object {
  const [, name = "", kind = "", after = 0, took = 0, parent = -1, error = ""] = spans[position] ?? [];
  return {
    traceId: id,
    spanId: spanId(id, position),
    ...(parent >= 0 && { parentSpanId: spanId(id, parent) }),
    name,
    kind: spanKinds[kind] ?? 0,
    startTimeUnixNano: nanos(start + after),
    endTimeUnixNano: nanos(start + after + took),
    ...(error !== "" && { attributes: [attribute("error.type", error)] }),
    status: error === "" ? {} : { code: 2 },
  };
}
