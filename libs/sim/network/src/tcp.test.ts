import { createRng } from "@microremed/core";
import { expect, test } from "vitest";
import { clearLink, type Link } from "./link.ts";
import { callLatency, expectedRetransmission, sampleEcho, sampleHandshake, sampleSegment } from "./tcp.ts";

const lossy = (loss: number): Link => ({ request: { ...clearLink.request, loss }, reply: clearLink.reply });

test("expects the sum of the doubling retransmission timeouts", () => {
  expect(expectedRetransmission(0, 200)).toBe(0);
  expect(expectedRetransmission(0.1, 200)).toBeCloseTo(25, 0); // 200 * p / (1 - 2p)
});

test("sampled handshakes and segments agree with the expectation", () => {
  const rng = createRng(7);
  const mean = (sample: () => number) =>
    Array.from({ length: 20_000 }, sample).reduce((a, b) => a + b, 0) / 20_000;
  const link = lossy(0.1);
  const pooled = mean(() => sampleSegment(link.request, 0.3, 1e6, rng)) + link.reply.delayMs;
  expect(pooled / callLatency(link, false).mean).toBeCloseTo(1, 0);
  const handshake = mean(() => sampleHandshake(link, 1e6, rng));
  expect(handshake).toBeGreaterThan(100);
  expect(handshake).toBeLessThan(150);
});

test("half the echoes are lost at 50 % loss, and nothing passes a dead link", () => {
  const rng = createRng(3);
  const lost = Array.from({ length: 10_000 }, () => sampleEcho(lossy(0.5), rng)).filter(
    (ms) => !Number.isFinite(ms),
  );
  expect(lost.length / 10_000).toBeCloseTo(0.5, 1);
  expect(sampleHandshake(lossy(1), 30_000, rng)).toBe(Number.POSITIVE_INFINITY);
  expect(callLatency(lossy(1), false).mean).toBe(Number.POSITIVE_INFINITY);
});
