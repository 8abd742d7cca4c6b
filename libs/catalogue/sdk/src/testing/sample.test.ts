import { afterEach, expect, test, vi } from "vitest";
import { sampleOf } from "./sample.ts";

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
