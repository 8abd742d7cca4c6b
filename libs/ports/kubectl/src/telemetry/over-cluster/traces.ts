import { kinds } from "@microremed/cluster";
import { parseJson } from "@microremed/core";
import { z } from "zod";
import { type ClusterQuestion, NotHere, type Place, type Stretch, stretchOf } from "./place.ts";
import { rootsAmong } from "./roots-among.ts";

type Question = Extract<ClusterQuestion, { kind: "traces" }>;

/** Where Jaeger is if the clusters file does not say so. */
const standardJaeger = "observability/jaeger-query:16686";
/** Most spans of an answer, of which each is some 100 bytes. */
const maxSpans = 6_000;

const Tag = z.object({ key: z.string(), value: z.unknown() });
const JaegerTraces = z.object({
  data: z.array(
    z.object({
      traceID: z.string(),
      spans: z.array(
        z.object({
          spanID: z.string(),
          operationName: z.string(),
          references: z.array(z.object({ refType: z.string().optional(), spanID: z.string() })),
          startTime: z.number(),
          duration: z.number(),
          tags: z.array(Tag),
          processID: z.string(),
        }),
      ),
      processes: z.record(z.string(), z.object({ serviceName: z.string(), tags: z.array(Tag).optional() })),
    }),
  ),
});
type JaegerTrace = z.infer<typeof JaegerTraces>["data"][number];

const Dependencies = z.object({ data: z.array(z.object({ parent: z.string(), child: z.string() })) });
const Services = z.object({ data: z.array(z.string()) });

/** Traces of the arena's requests, the newest first. Throws `NotHere` where nothing keeps them. */
export async function traces(question: Question, place: Place): Promise<string> {
  const { limit } = question;
  const { now, from, to } = await stretchOf(place, question);
  const wanted = await readTraces(question, { now, from, to }, place);
  const kept = bounded(wanted.slice(0, limit));
  return JSON.stringify({ now, from, to, traces: kept, left: wanted.length - kept.length });
}

/** Traces of the arena's requests in a stretch, the newest first; of each program no more than the limit. */
export async function readTraces(
  { service, id, limit }: Pick<Question, "service" | "id" | "limit">,
  { now, from, to }: Stretch,
  place: Place,
): Promise<CompactTrace[]> {
  const own = encodeURIComponent(JSON.stringify({ "k8s.namespace.name": place.namespace }));
  const range = `start=${Math.round(from * 1000)}&end=${Math.round(to * 1000)}&tags=${own}`;
  const services = service === undefined ? await roots(place, { now, from }) : [service];
  const found = new Map<string, JaegerTrace>();
  for (const name of services) {
    const query = `service=${encodeURIComponent(name)}&${range}&limit=${id === undefined ? limit : 300}`;
    for (const trace of (await ask(place, `/api/traces?${query}`, JaegerTraces)).data)
      found.set(trace.traceID, trace);
  }
  const mine = [...found.values()].flatMap((trace) => withinNamespace(trace, place.namespace) ?? []);
  return mine
    .filter(({ traceID }) => id === undefined || traceID.startsWith(id))
    .map(compact)
    .sort((a, b) => b.start - a.start);
}

/** Programs at which the arena's requests may begin. */
async function roots(place: Place, { now, from }: { now: number; from: number }): Promise<readonly string[]> {
  const { cluster, namespace } = place;
  const { data: names } = await ask(place, "/api/services", Services);
  const lookback = Math.ceil(Math.max(1000, now - from));
  const path = `/api/dependencies?endTs=${Math.round(now)}&lookback=${lookback}`;
  const { data: calls } = await ask(place, path, Dependencies);
  const pods = (await cluster.list(kinds.pod, { namespace })).map(({ metadata }) => metadata.name);
  const isOwn = (name: string): boolean => pods.some((pod) => pod === name || pod.startsWith(`${name}-`));
  return rootsAmong(names, calls, isOwn);
}

async function ask<T>(place: Place, path: string, schema: z.ZodType<T>): Promise<T> {
  const { cluster, jaeger = standardJaeger } = place;
  const [, where = "", name = "", port] = /^([^/]+)\/([^:]+):(\d+)$/.exec(jaeger) ?? [];
  const text = await cluster.fetchText(
    { kind: "services", namespace: where, name, port: Number(port) },
    path,
  );
  const read = schema.safeParse(parseJson(text ?? ""));
  if (read.success) return read.data;
  throw new NotHere("This cluster keeps no traces (it has no Jaeger). Use get_logs and query_metrics.");
}

/** Undefined: the trace is of another namespace. Programs that name none are taken for the arena's own. */
function withinNamespace(trace: JaegerTrace, namespace: string): JaegerTrace | undefined {
  const foreign = Object.values(trace.processes).some(({ tags = [] }) =>
    tags.some(({ key, value }) => key === "k8s.namespace.name" && value !== namespace),
  );
  return foreign ? undefined : trace;
}

/** One request through the system. */
export interface CompactTrace {
  readonly id: string;
  /** Cluster time, ms. */
  readonly start: number;
  readonly spans: readonly CompactSpan[];
}

/** service, operation, kind, start after the trace's, duration (both ms), position of the parent or -1, error or "", pod. */
export type CompactSpan = readonly [string, string, string, number, number, number, string, string];

function compact({ traceID: id, spans, processes }: JaegerTrace): CompactTrace {
  const start = Math.min(...spans.map(({ startTime }) => startTime));
  const places = new Map(spans.map(({ spanID }, place) => [spanID, place]));
  const ms = (micros: number): number => Math.round(micros / 10) / 100;
  return {
    id,
    start: start / 1000,
    spans: spans.map((span): CompactSpan => {
      const tag = (key: string): string => String(span.tags.find((each) => each.key === key)?.value ?? "");
      const { serviceName = "", tags = [] } = processes[span.processID] ?? {};
      const failed = tag("error") === "true" || tag("otel.status_code") === "ERROR";
      const pod = String(tags.find(({ key }) => key === "k8s.pod.name")?.value ?? "");
      const parent = places.get(span.references[0]?.spanID ?? "") ?? -1;
      const error = failed ? tag("error.type") || tag("http.response.status_code") || "error" : "";
      const [at, took] = [ms(span.startTime - start), ms(span.duration)];
      return [serviceName, span.operationName, tag("span.kind"), at, took, parent, error, pod];
    }),
  };
}

function bounded(all: readonly CompactTrace[]): readonly CompactTrace[] {
  let spans = 0;
  const end = all.findIndex((trace) => {
    spans += trace.spans.length;
    return spans > maxSpans;
  });
  return end < 0 ? all : all.slice(0, end);
}
