import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { z } from "zod";

/** A span as it arrived. */
export interface SeenSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  /** `undefined`: the root of its trace. */
  readonly parentSpanId: string | undefined;
  /** `internal`, `server`, `client`, `producer` or `consumer`. */
  readonly kind: string;
  /** Wall clock, ms. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly failed: boolean;
  readonly attributes: Readonly<Record<string, unknown>>;
  /** The exporting service's. */
  readonly resource: Readonly<Record<string, unknown>>;
}

/** A receiver of OpenTelemetry traces over HTTP, for tests. Disposing it closes the server. */
export interface OtlpReceiver extends AsyncDisposable {
  /** For OTEL_EXPORTER_OTLP_ENDPOINT. */
  readonly url: string;
  readonly spans: readonly SeenSpan[];
  /** Content type and path of each export. */
  readonly exports: readonly { readonly path: string; readonly contentType: string }[];
  /** All that arrived, as it arrived. */
  readonly text: () => string;
}

const Value = z.union([
  z.object({ stringValue: z.string() }).transform(({ stringValue }) => stringValue),
  z.object({ intValue: z.coerce.number() }).transform(({ intValue }) => intValue),
  z.object({ doubleValue: z.number() }).transform(({ doubleValue }) => doubleValue),
  z.object({ boolValue: z.boolean() }).transform(({ boolValue }) => boolValue),
  z
    .object({ arrayValue: z.object({ values: z.array(z.object({ stringValue: z.string() })) }) })
    .transform(({ arrayValue }) => arrayValue.values.map(({ stringValue }) => stringValue)),
]);
const Attributes = z
  .array(z.object({ key: z.string(), value: Value }))
  .transform((list) => Object.fromEntries(list.map(({ key, value }) => [key, value])));
const Nanos = z.coerce.bigint().transform((nanos) => Number(nanos / 1000n) / 1000);
const Export = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: Attributes }),
      scopeSpans: z.array(
        z.object({
          spans: z.array(
            z.object({
              name: z.string(),
              traceId: z.string(),
              spanId: z.string(),
              parentSpanId: z.string().optional(),
              kind: z.int(),
              startTimeUnixNano: Nanos,
              endTimeUnixNano: Nanos,
              status: z.object({ code: z.int().optional() }),
              attributes: Attributes,
            }),
          ),
        }),
      ),
    }),
  ),
});

const kinds = ["unspecified", "internal", "server", "client", "producer", "consumer"];
const failed = 2;

/** A receiver of traces by OTLP over HTTP, in JSON; other encodings it accepts and does not read. For tests. */
export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: SeenSpan[] = [];
  const exports: OtlpReceiver["exports"][number][] = [];
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    const contentType = request.headers["content-type"] ?? "";
    const body = await text(request);
    bodies.push(body);
    if (contentType === "application/json") spans.push(...spansIn(body));
    exports.push({ path: request.url ?? "", contentType });
    response
      .writeHead(200, { "content-type": contentType })
      .end(contentType === "application/json" ? "{}" : "");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    exports,
    text: () => bodies.join("\n"),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function spansIn(body: string): SeenSpan[] {
  return Export.parse(JSON.parse(body)).resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans
      .flatMap(({ spans }) => spans)
      .map((span) => ({
        name: span.name,
        traceId: span.traceId,
        spanId: span.spanId,
        parentSpanId: span.parentSpanId,
        kind: kinds[span.kind] ?? "unspecified",
        startedAt: span.startTimeUnixNano,
        endedAt: span.endTimeUnixNano,
        failed: span.status.code === failed,
        attributes: span.attributes,
        resource: resource.attributes,
      })),
  );
}
