import { jaegerNamespace, jaegerPort, jaegerService } from "@microremed/sim-telemetry";
import { expect, test } from "vitest";
import { arena, deployedWorld } from "./testing/deployed-world.ts";
import type { World } from "./world.ts";

interface JaegerSpan {
  readonly traceID: string;
  readonly spanID: string;
  readonly operationName: string;
  readonly references: readonly { readonly spanID: string }[];
  readonly startTime: number;
  readonly duration: number;
  readonly tags: readonly { readonly key: string; readonly value: unknown }[];
  readonly processID: string;
}

interface JaegerTrace {
  readonly traceID: string;
  readonly spans: readonly JaegerSpan[];
  readonly processes: Readonly<Record<string, { readonly serviceName: string }>>;
}

async function ask(world: World, path: string, namespace = jaegerNamespace) {
  const [pathname = "", search] = path.split("?");
  const reply = await world.proxy({
    kind: "services",
    namespace,
    name: jaegerService,
    port: jaegerPort,
    path: pathname,
    query: new URLSearchParams(search),
    signal: new AbortController().signal,
  });
  if ("error" in reply) throw new Error(reply.error);
  return { status: reply.status, ...JSON.parse(reply.body) };
}

const find = async (world: World, query: string): Promise<readonly JaegerTrace[]> =>
  (await ask(world, `/api/traces?${query}`)).data;

const hasTag = ({ tags }: JaegerSpan, key: string, value: unknown): boolean =>
  tags.some((tag) => tag.key === key && tag.value === value);

const spansOf = (traces: readonly JaegerTrace[], service: string): readonly JaegerSpan[] =>
  traces.flatMap(({ spans, processes }) =>
    spans.filter(({ processID }) => processes[processID]?.serviceName === service),
  );

const meanMs = (spans: readonly JaegerSpan[]): number =>
  spans.reduce((sum, { duration }) => sum + duration / 1000, 0) / spans.length;

test("a request's spans hang together, caller above callee, in Jaeger's form", async () => {
  using world = deployedWorld("online-boutique");
  world.loop.advance(120_000);
  expect((await ask(world, "/api/services")).data).toEqual(
    expect.arrayContaining(["frontend", "cartservice"]),
  );
  const traces = await find(world, "service=checkoutservice&limit=5&lookback=1h");
  expect(traces.length).toBeGreaterThan(0);
  expect(traces.length).toBeLessThanOrEqual(5);
  for (const { traceID, spans } of traces) {
    expect(traceID).toMatch(/^[0-9a-f]{32}$/);
    const byId = new Map(spans.map((span) => [span.spanID, span]));
    expect(byId.size).toBe(spans.length);
    const causes = spans.map((span) => span.references.map(({ spanID }) => byId.get(spanID)));
    expect(causes.filter((each) => each.length === 0)).toHaveLength(1);
    for (const [index, [cause]] of causes.entries())
      if (cause) expect(spans[index]?.startTime).toBeGreaterThanOrEqual(cause.startTime);
  }
  const [first] = traces;
  expect((await ask(world, `/api/traces/${first?.traceID}`)).data).toEqual([first]);
  expect((await ask(world, "/api/services/frontend/operations")).data).toContain("GET /");
  expect((await ask(world, "/api/dependencies")).data).toContainEqual(
    expect.objectContaining({ parent: "checkoutservice", child: "paymentservice" }),
  );
});

test("spans last as long, and fail as often, as the physics says", async () => {
  using world = deployedWorld("online-boutique");
  const measured = (): number =>
    world.physics.services(arena).find(({ workload }) => workload === "cartservice")?.latencyMs ?? 0;
  world.loop.advance(400_000);
  const healthy = spansOf(await find(world, "service=cartservice&limit=1500"), "cartservice").filter((span) =>
    hasTag(span, "span.kind", "server"),
  );
  expect(healthy.length).toBeGreaterThan(100);
  expect(meanMs(healthy) / measured()).toBeGreaterThan(0.7);
  expect(meanMs(healthy) / measured()).toBeLessThan(1.4);
  const failed = `service=cartservice&lookback=1m&tags=${JSON.stringify({ error: "true" })}`;
  expect(await find(world, failed)).toEqual([]);
  const redis = { group: "apps", resource: "deployments" };
  world.store.mutate(redis, arena, "redis-cart", (it) => ({ ...it, spec: { ...it.spec, replicas: 0 } }));
  world.loop.advance(120_000);
  const errors = spansOf(await find(world, failed), "cartservice").filter((span) =>
    hasTag(span, "error", true),
  );
  expect(
    errors.some((span) => hasTag(span, "db.system.name", "redis") && hasTag(span, "error.type", "refused")),
  ).toBe(true);
  expect(errors.some((span) => hasTag(span, "rpc.response.status_code", "INTERNAL"))).toBe(true);
});

test("answers bad questions as Jaeger does", async () => {
  using world = deployedWorld("simple-micro");
  world.loop.advance(10_000);
  const messageOf = async (path: string) => {
    const { status, errors } = await ask(world, path);
    return `${status} ${errors?.[0]?.msg}`;
  };
  expect(await messageOf("/api/traces")).toBe("400 parameter 'service' is required");
  expect(await messageOf("/api/traces/0123456789abcdef")).toBe("404 trace not found");
  expect(await messageOf("/api/traces?service=a&minDuration=3")).toBe(
    `400 unable to parse param 'minDuration': time: missing unit in duration "3"`,
  );
  expect((await ask(world, "/api/services", "elsewhere")).data).toEqual([]);
});

test("the same seed gives the same traces, going back to a snapshot too, and they stay few", async () => {
  using one = deployedWorld("simple-micro", 7);
  using other = deployedWorld("simple-micro", 7);
  const all = async (world: World) => JSON.stringify((await ask(world, "/api/dependencies")).data);
  const snapshot = one.snapshot();
  one.loop.advance(60_000);
  other.loop.advance(60_000);
  const seen = await all(one);
  expect(await all(other)).toBe(seen);
  one.restore(snapshot);
  one.loop.advance(60_000);
  expect(await all(one)).toBe(seen);
  one.loop.advance(3_600_000);
  const [service] = (await ask(one, "/api/services")).data;
  expect((await find(one, `service=${service}&limit=1500`)).length).toBeLessThanOrEqual(300);
});
