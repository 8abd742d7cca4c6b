import { parseGoDuration } from "@microremed/sim-time";
import { jaegerTrace, operationOf, processTagsOf, tagsOf } from "./jaeger-json.ts";
import type { Span, Trace } from "./trace.types.ts";

export interface JaegerAnswer {
  readonly status: number;
  readonly body: object;
}

/** Jaeger's query service: 100 traces by default, of the last two days. Its UI asks for at most 1500. */
const defaultLimit = 100;
const maxLimit = 1500;
const defaultLookbackMs = 48 * 3_600_000;

/** Units of the user interface's lookback. */
const unitMs: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** Answered with 400 and its message. */
class BadQuery extends Error {}

function answer(data: readonly unknown[], total = data.length): JaegerAnswer {
  return { status: 200, body: { data, total, limit: 0, offset: 0, errors: null } };
}

function failure(code: number, msg: string): JaegerAnswer {
  return { status: code, body: { data: null, total: 0, limit: 0, offset: 0, errors: [{ code, msg }] } };
}

function numberParam(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null || text === "") return undefined;
  if (!/^\d{1,18}$/.test(text))
    throw new BadQuery(
      `unable to parse param '${name}': strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`,
    );
  return Number(text);
}

/** Ms of a Go duration such as `1.5s`. */
function durationParam(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null || text === "") return undefined;
  try {
    return parseGoDuration(text);
  } catch (error) {
    throw new BadQuery(`unable to parse param '${name}': ${error instanceof Error ? error.message : error}`);
  }
}

function tagsParam(query: URLSearchParams): readonly (readonly [string, string])[] {
  const pairs = query.getAll("tag").map((text): readonly [string, string] => {
    const colon = text.indexOf(":");
    if (colon < 0) throw new BadQuery(`malformed 'tag' parameter, expecting key:value, received: ${text}`);
    return [text.slice(0, colon), text.slice(colon + 1)];
  });
  for (const text of query.getAll("tags")) {
    let parsed: unknown;
    try {
      parsed = JSON.parse(text);
    } catch (error) {
      throw new BadQuery(`malformed 'tags' parameter, cannot unmarshal JSON: ${String(error)}`);
    }
    pairs.push(...Object.entries(parsed ?? {}).map(([key, value]) => [key, String(value)] as const));
  }
  return pairs;
}

/** The spans that were reported by now; a trace of which none was is not there yet. */
function reported(traces: readonly Trace[], now: number): readonly Trace[] {
  return traces.flatMap((trace) => {
    if (trace.spans.every(({ end }) => end <= now)) return [trace];
    return trace.spans.some(({ end }) => end <= now) ? [onlyReported(trace, now)] : [];
  });
}

/** Spans whose cause is not reported yet hang in the air, as they do in Jaeger. */
function onlyReported({ id, spans }: Trace, now: number): Trace {
  const kept = spans.map((span, index) => ({ span, index })).filter(({ span }) => span.end <= now);
  const places = new Map(kept.map(({ index }, place) => [index, place]));
  return {
    id,
    spans: kept.map(({ span }) => ({
      ...span,
      parent: span.parent === undefined ? undefined : places.get(span.parent),
    })),
  };
}

function spanFilter(query: URLSearchParams, now: number): (span: Span) => boolean {
  const service = query.get("service");
  if (!service) throw new BadQuery("parameter 'service' is required");
  const operation = query.get("operation");
  const min = durationParam(query, "minDuration") ?? 0;
  const max = durationParam(query, "maxDuration") ?? Number.POSITIVE_INFINITY;
  if (min > max) throw new BadQuery("'maxDuration' should be greater than 'minDuration'");
  const tags = tagsParam(query);
  const { from, to } = timeRange(query, now);
  const hasTags = (span: Span): boolean => {
    const own = tags.length === 0 ? [] : [...tagsOf(span), ...processTagsOf(span.reporter)];
    return tags.every(([key, value]) => own.some((tag) => tag.key === key && String(tag.value) === value));
  };
  return (span) =>
    span.reporter.service === service &&
    (!operation || operationOf(span) === operation) &&
    span.start >= from &&
    span.start <= to &&
    span.end - span.start >= min &&
    span.end - span.start <= max &&
    hasTags(span);
}

/**
 * Cluster time, ms. Who names a lookback means the time before now, whatever start and end say: the user interface
 * computes those by a clock that is not the cluster's.
 */
function timeRange(query: URLSearchParams, now: number): { readonly from: number; readonly to: number } {
  const [, count, unit = ""] = /^(\d{1,6})([smhdw])$/.exec(query.get("lookback") ?? "") ?? [];
  if (count !== undefined) return { from: now - Number(count) * (unitMs[unit] ?? 0), to: now };
  const [start, end] = [numberParam(query, "start"), numberParam(query, "end")];
  return {
    from: start === undefined ? now - defaultLookbackMs : start / 1000,
    to: end === undefined ? now : end / 1000,
  };
}

function found(traces: readonly Trace[], query: URLSearchParams, now: number): JaegerAnswer {
  const ids = query.getAll("traceID");
  if (ids.length > 0) return answer(traces.filter(({ id }) => ids.includes(id)).map(jaegerTrace), 0);
  const limit = Math.min(maxLimit, numberParam(query, "limit") || defaultLimit);
  const matches = spanFilter(query, now);
  const hits = traces.filter(({ spans }) => spans.some(matches)).slice(0, limit);
  return answer(hits.map(jaegerTrace), 0);
}

const unique = (texts: readonly string[]): readonly string[] => [...new Set(texts)].sort();

/** Calls between programs, as Jaeger adds them up from the spans. */
function dependencies(traces: readonly Trace[], query: URLSearchParams, now: number): JaegerAnswer {
  const end = numberParam(query, "endTs") ?? now;
  const lookback = numberParam(query, "lookback") ?? defaultLookbackMs;
  const counts = new Map<string, number>();
  for (const { spans } of traces) {
    for (const { reporter, parent, start } of spans) {
      const caller = parent === undefined ? undefined : spans[parent]?.reporter.service;
      if (caller === undefined || caller === reporter.service || start > end || start < end - lookback)
        continue;
      const key = JSON.stringify([caller, reporter.service]);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  const links = [...counts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, callCount]) => {
      const [parent, child] = JSON.parse(key) as [string, string];
      return { parent, child, callCount };
    });
  return answer(links);
}

function route(
  path: string,
  query: URLSearchParams,
  traces: readonly Trace[],
  now: number,
): JaegerAnswer | undefined {
  const spans = (service: string | null): readonly Span[] =>
    traces.flatMap((trace) => trace.spans.filter(({ reporter }) => reporter.service === service));
  const operations = /^\/api\/services\/([^/]+)\/operations$/.exec(path)?.[1];
  const id = /^\/api\/traces\/([^/]+)$/.exec(path)?.[1];
  if (path === "/api/services")
    return answer(unique(traces.flatMap((trace) => trace.spans.map(({ reporter }) => reporter.service))));
  if (operations !== undefined) return answer(unique(spans(operations).map(operationOf)));
  if (path === "/api/operations") {
    const service = query.get("service");
    if (!service) throw new BadQuery("parameter 'service' is required");
    const wanted = query.get("spanKind");
    const pairs = unique(spans(service).map((span) => JSON.stringify([operationOf(span), span.kind])));
    const all = pairs.map((pair) => JSON.parse(pair) as [string, string]);
    return answer(
      all.filter(([, kind]) => !wanted || kind === wanted).map(([name, spanKind]) => ({ name, spanKind })),
    );
  }
  if (path === "/api/traces") return found(traces, query, now);
  if (path === "/api/dependencies") return dependencies(traces, query, now);
  if (id === undefined) return undefined;
  const trace = traces.find((each) => each.id === id);
  return trace ? answer([jaegerTrace(trace)], 0) : failure(404, "trace not found");
}

/**
 * Jaeger's query service over some traces (newest first). `path` as under its own root; `now` in cluster time. Undefined
 * for a path that it does not have.
 */
export function askJaeger(
  { path, query }: { readonly path: string; readonly query: URLSearchParams },
  traces: readonly Trace[],
  now: number,
): JaegerAnswer | undefined {
  try {
    return route(path, query, reported(traces, now), now);
  } catch (error) {
    if (error instanceof BadQuery) return failure(400, error.message);
    throw error;
  }
}
