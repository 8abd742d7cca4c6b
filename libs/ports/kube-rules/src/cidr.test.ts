import { expect, test } from "vitest";
import { inCidr } from "./cidr.ts";

test.each([
  ["10.0.0.0/8", "10.255.0.1", true],
  ["10.244.1.0/24", "10.244.2.1", false],
  ["0.0.0.0/0", "8.8.8.8", true],
  ["10.244.1.7", "10.244.1.7", true],
  ["10.244.1.7", "10.244.1.8", false],
])("%s holds %s: %s", (cidr, ip, holds) => {
  expect(inCidr(cidr, ip)).toBe(holds);
});
