import { injectFailure, prepareArena } from "@microremed/arena";
import { shareOf } from "@microremed/catalogue/testing";
import { kinds } from "@microremed/cluster";
import { builtInCatalogue } from "@microremed/registry";
import { expect, test } from "vitest";
import { questionsOf } from "./testing/harness-words.ts";
import { aToolUser } from "./testing/tool-user.ts";

const catalogue = await builtInCatalogue();
const environment = catalogue.environments.get("online-boutique");
const { namespace } = environment;

/** A shop under load, and its tools as an agent calls them. */
async function aShop(seed = 1) {
  const user = await aToolUser(catalogue, environment, { seed });
  const { arena, cluster } = user;
  await prepareArena(arena, { redeploy: false, timeoutSeconds: 600 });
  await cluster.clock.sleep(300_000);
  const historyFrom = (await cluster.clock.now()) - 290_000;
  const call = async (name: string, args: object = {}): Promise<string> =>
    (await user.call(name, args, historyFrom)).answer;
  return { ...user, call };
}

const seconds = 120_000;

test("metrics show over time, and compared with before, who became slow; traces show where the time went", async () => {
  await using shop = await aShop();
  const { arena, cluster, call } = shop;
  const incident = { failure: "network-delay", target: "cartservice", timeoutSeconds: 60 } as const;
  await injectFailure(arena, { ...incident, concealment: "neutral" });
  await cluster.clock.sleep(seconds);

  const latency = await call("query_metrics", { metric: "latency", since: "2m", top: 5, step: "30s" });
  expect(latency).toMatch(
    /^latency \(ms, mean\) per workload, every 30 s from .*\n(\w+: [\d.]+ [\d. ]+\n){5}\[7 of 12 left out/,
  );
  const compared = await call("query_metrics", { metric: "latency", since: "1m", compare: "5m", top: 1 });
  expect(compared).toMatch(/\ncartservice: \d+, before [\d.]+ \(x\d+/);
  const one = await call("query_metrics", { metric: "cpu", of: "cartservice", per: "pod" });
  expect(one).toMatch(/\ncartservice-[a-z0-9]+-[a-z0-9]+: /);
  expect(await call("query_metrics", { metric: "cpu", of: "nobody" })).toMatch(/without `of`/);

  const slow = await call("search_traces", { since: "90s", min_ms: 500, limit: 2 });
  expect(slow).toMatch(
    /^\d+ of \d+ sampled traces .*\n[0-9a-f]{16} .*most time in cartservice .*\n.*\n\[\d+ of/,
  );
  const [, id = ""] = /\n([0-9a-f]{16}) /.exec(slow) ?? [];
  const tree = await call("search_traces", { trace: id });
  expect(tree).toMatch(/^trace [0-9a-f]{32}, .*is the critical path\n\*loadgenerator /);
  expect(tree.length).toBeLessThanOrEqual(8_000);
  const change = await call("search_traces", { since: "90s", compare: "4m" });
  expect(change.split("\n")[1]).toMatch(/cartservice.* 1000 ms itself.*; before: /);
  const before = await call("search_traces", { since: "1h", limit: 1 });
  const all = Number(/ of (\d+) sampled/.exec(before)?.[1]);
  expect(all).toBeGreaterThan(100);
  expect(all).toBeLessThan((290_000 + 2 * seconds) / 2_000 + 20);
});

test("the change log has rollouts with old and new values, scale and configuration, and nothing of before or of the fault", async () => {
  await using shop = await aShop();
  const { arena, cluster, call } = shop;
  expect(await call("diff_since", { since: "24h" })).toMatch(/^No change since/);
  const incident = { failure: "cpu-stress", target: "cartservice", timeoutSeconds: 60 } as const;
  await injectFailure(arena, { ...incident, concealment: "neutral" });
  expect(await call("diff_since")).toMatch(/^No change since/);

  const containers = [{ name: "server", env: [{ name: "LEVEL", value: "debug" }] }];
  const change = (name: string, body: object) =>
    cluster.patch(kinds.deployment, namespace, name, { type: "strategic", body });
  await change("adservice", { spec: { template: { spec: { containers } } } });
  await change("emailservice", { spec: { replicas: 2 } });
  const selector = { app: "emailservice", tier: "x" };
  await cluster.patch(kinds.service, namespace, "emailservice", {
    type: "merge",
    body: { spec: { selector } },
  });
  const metadata = { name: "flags", namespace };
  await cluster.create({ apiVersion: "v1", kind: "ConfigMap", metadata, data: { level: "debug" } });
  await cluster.clock.sleep(seconds);
  const log = await call("diff_since");
  expect(log.split("\n").map((line) => line.replace(/^\d\d:\d\d:\d\d /, ""))).toEqual([
    expect.stringMatching(/^4 changes since/),
    "configmap/flags (created): was created",
    'deployment/adservice (rollout): template.spec.containers[server].env[LEVEL]: absent -> {"name":"LEVEL","value":"debug"}',
    "deployment/emailservice (scale): spec.replicas is now 2",
    'service/emailservice (config): spec.selector is now {"app":"emailservice","tier":"x"}',
  ]);
  expect(await call("diff_since", { of: "deployment/adservice" })).toMatch(
    /^1 change of deployment\/adservice/,
  );

  const described = await call("describe", { of: "deployment/adservice" });
  expect(described).toMatch(
    /name: LEVEL\n +value: debug[\s\S]*\nPods:\n {2}adservice-.* Running [\s\S]*\nEvents:\n/,
  );
  expect(described).not.toMatch(/managedFields|resourceVersion/);
  expect(await call("describe", { of: "service/nobody" })).toMatch(
    /There is no service "nobody". There are: adservice/,
  );
  expect(await call("describe", { of: "secret/x" })).toMatch(/There is no kind "secret"/);
});

test("the change log has what went back to a template that was there before", async () => {
  await using shop = await aShop();
  const { cluster, call } = shop;
  const level = async (value: string) => {
    const containers = [{ name: "server", env: [{ name: "LEVEL", value }] }];
    const body = { spec: { template: { spec: { containers } } } };
    await cluster.patch(kinds.deployment, namespace, "adservice", { type: "strategic", body });
    await cluster.clock.sleep(20_000);
  };
  for (const value of ["debug", "info", "debug", "trace"]) await level(value);
  const rollouts = async () =>
    (await call("diff_since"))
      .split("\n")
      .slice(1)
      .map((line) => line.replace(/^.*(LEVEL\]|value): /, ""));
  const added = expect.stringContaining("absent -> ");
  expect(await rollouts()).toEqual(['"debug" -> "trace"', '"info" -> "debug"', '"debug" -> "info"', added]);
  await level("info");
  const [last, ...rest] = await rollouts();
  expect(last).toBe('"trace" -> "info"');
  expect(rest).toHaveLength(4);
});

test("logs are searched by pattern and events are few, and what is left out is said", async () => {
  await using shop = await aShop();
  const { call, cluster } = shop;
  const of = "deployment/frontend";
  const body = { spec: { replicas: 3 } };
  await cluster.patch(kinds.deployment, namespace, "frontend", { type: "merge", body });
  await cluster.clock.sleep(20_000);
  const found = await call("get_logs", { of, match: "REQUEST completed|nothing", lines: 2, since: "2m" });
  expect(found.trim().split("\n")).toHaveLength(2);
  expect(found).toMatch(/request completed/);
  expect(await call("get_logs", { of, match: "nothing like it" })).toMatch(/^no line .* matches/);
  const events = (await call("get_events", { limit: 3 })).split("\n");
  expect(events).toHaveLength(5);
  expect(events[1]).toMatch(/^\[\d+ of \d+ left out: /);
  expect(await call("get_events", { warnings: true })).not.toMatch(/ Normal /);
});

/** A whole proof (WHOLE_PROOF=true) takes every environment. */
const some = shareOf(catalogue.environments.all(), catalogue.environments.names.length);

test.each(some)(
  "the same seed gives the same answers of every tool, byte for byte: $name",
  async (system) => {
    const answers = async () => {
      await using user = await aToolUser(catalogue, system, { seed: 7 });
      const { arena, cluster, call } = user;
      await prepareArena(arena, { redeploy: false, timeoutSeconds: 900 });
      const from = await cluster.clock.now();
      await cluster.clock.sleep(seconds);
      const pods = await cluster.list(kinds.pod, { namespace: system.namespace });
      const asked = questionsOf(
        system,
        pods.map(({ metadata }) => metadata.name),
      );
      const all: string[] = [];
      for (const [name, args] of asked)
        all.push(`${name} ${JSON.stringify(args)}: ${(await call(name, args, from)).answer}`);
      return all;
    };
    const [first, again] = [await answers(), await answers()];
    expect(first.filter((answer, i) => answer !== again[i])).toEqual([]);
    expect(again).toHaveLength(first.length);
  },
);
