import { expect, test } from "vitest";
import { hostPortsOf, isFree } from "./host-ports.ts";

const on = (port: number, ip = "0.0.0.0", protocol = "TCP") => ({ port, ip, protocol });

test("takes the node's ports of every container, and no others", () => {
  const ports = [
    { containerPort: 80, hostPort: 8080 },
    { containerPort: 53, hostPort: 53, protocol: "UDP", hostIP: "10.0.0.1" },
  ];
  const spec = { containers: [{ ports }, { ports: [{ containerPort: 90 }] }, {}] };
  expect(hostPortsOf({ metadata: { name: "web" }, spec } as never)).toEqual([
    on(8080),
    on(53, "10.0.0.1", "UDP"),
  ]);
});

test.each([
  ["the same port", on(80), false],
  ["another port", on(81), true],
  ["another protocol", on(80, "0.0.0.0", "UDP"), true],
  ["one address of a port that is taken at all", on(80, "10.0.0.1"), false],
])("%s", (_what, wanted, free) => {
  expect(isFree([wanted], [on(80)])).toBe(free);
});

test("two addresses of one port are two", () => {
  expect(isFree([on(80, "10.0.0.1")], [on(80, "10.0.0.2")])).toBe(true);
  expect(isFree([on(80)], [on(80, "10.0.0.2")])).toBe(false);
});
