import { expect, test } from "vitest";
import { normalise } from "./normalise.ts";

test.each([
  ["web-5d4f8c7b9-x2x4z   1/1   Running", "web-<pod> 1/1 Running"],
  ["web   1/1   Running   0   3m12s", "web 1/1 Running 0 <age>"],
  ["web   2d", "web <age>"],
  ["ip 10.244.1.7:8080", "ip <ip>:8080"],
  ["at 2026-11-20T10:00:00.123Z", "at <time>"],
  ["uid 0a1b2c3d-0000-4000-8000-0123456789ab", "uid <uid>"],
  ["main=registry.k8s.io/pause:3.10", "main=registry.k8s.io/pause:3.10"],
])("%s -> %s", (text, normal) => {
  expect(normalise(text)).toBe(normal);
});
