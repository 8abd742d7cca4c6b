import { afterEach, expect, test, vi } from "vitest";
import { sampleOf, shareOf } from "./sample.ts";

afterEach(() => vi.unstubAllEnvs());

const named = (...names: string[]) => names.map((name) => ({ name }));

test("entries from outside are in every sample", () => {
  const outside = named("of-a-user-1", "of-a-user-2", "of-a-user-3");
  expect(sampleOf("faults", outside)).toEqual(outside);
});

test("a whole proof tries everything, and without git too", () => {
  const ours = named("cpu-stress", "memory-stress", "network-delay", "network-loss");
  vi.stubEnv("WHOLE_PROOF", "true");
  expect(sampleOf("faults", ours)).toEqual(ours);
  vi.stubEnv("WHOLE_PROOF", "false");
  vi.stubEnv("PATH", "");
  expect(sampleOf("faults", ours)).toEqual(ours);
});

test("a share is one part of all, and a whole proof takes every part", () => {
  const numbers = Array.from({ length: 30 }, (_, i) => i);
  const share = shareOf(numbers, 3);
  expect(share).toEqual(numbers.filter((n) => n % 3 === share[0]));
  vi.stubEnv("WHOLE_PROOF", "true");
  expect(shareOf(numbers, 3)).toEqual(numbers);
});
