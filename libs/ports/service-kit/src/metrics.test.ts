import { expect, test } from "vitest";
import { createMetrics, type Reading } from "./metrics.ts";

test("counts messages by operation and outcome, and those that were delivered before", async () => {
  const metrics = createMetrics("tester");
  metrics.started("commands.act");
  metrics.ended("commands.act", "error", 0.2, 1);
  metrics.started("commands.act");
  metrics.ended("commands.act", "ok", 0.2, 2);
  const text = await metrics.registry.metrics();
  for (const line of [
    'microremed_messages_handled_total{op="commands.act",outcome="error",service="tester"} 1',
    'microremed_messages_handled_total{op="commands.act",outcome="ok",service="tester"} 1',
    'microremed_messages_redelivered_total{op="commands.act",service="tester"} 1',
    'microremed_messages_in_flight{op="commands.act",service="tester"} 0',
  ])
    expect(text).toContain(line);
});

const specs = [
  { name: "queue", help: "h", labels: ["of"] },
  { name: "alone", help: "h", labels: [] },
] as const;

async function samples(read: () => Promise<readonly Reading[]>): Promise<string[]> {
  const metrics = createMetrics("tester");
  metrics.gauges(specs, read);
  await metrics.registry.metrics();
  const text = await metrics.registry.metrics();
  return text.split("\n").filter((line) => /^(queue|alone)/.test(line));
}

test("reads gauges together, once for all who ask within a moment", async () => {
  let reads = 0;
  const found = await samples(async () => {
    reads++;
    return [
      { name: "queue", labels: { of: "a" }, value: 3 },
      { name: "alone", labels: {}, value: 4 },
    ];
  });
  expect(found).toEqual(['queue{of="a",service="tester"} 3', 'alone{service="tester"} 4']);
  expect(reads).toBe(1);
});

test("what cannot be read is not there, instead of old or nought", async () => {
  expect(await samples(() => Promise.reject(new Error("NATS is away")))).toEqual([]);
});
