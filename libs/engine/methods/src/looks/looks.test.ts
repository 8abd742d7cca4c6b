import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { probeOf } from "../tools.ts";
import { lookNamed, looks } from "./registry.ts";

const read = (name: string, args: string) => {
  const look = lookNamed(name);
  if (!look) throw new Error(`no look ${name}`);
  return probeOf({ id: "c", name, arguments: args }, look);
};

test("every file of a look is registered", () => {
  const files = readdirSync(new URL(".", import.meta.url)).filter(
    (name) => !/^(look|registry|looks\.test)\.ts$/.test(name),
  );
  expect(looks.map(({ tool }) => `${tool.name.replaceAll("_", "-")}.ts`).sort()).toEqual(files.sort());
});

test("models are shown exactly these tools", async () => {
  await expect(
    JSON.stringify(
      looks.map(({ tool }) => tool),
      null,
      2,
    ),
  ).toMatchFileSnapshot("../golden/looks.txt");
});

test.each([
  ["probe_system", '{"command":"kubectl get pods"}', { kind: "command", command: "kubectl get pods" }],
  ["get_logs", '{"of":"cart-0"}', { kind: "logs", of: "cart-0", previous: false, lines: 100 }],
  [
    "get_logs",
    '{"of":"deployment/cart","container":"server","previous":true,"lines":5}',
    { kind: "logs", of: "deployment/cart", container: "server", previous: true, lines: 5 },
  ],
  ["query_metrics", "", { kind: "metrics" }],
  ["query_metrics", '{"promql":"up"}', { kind: "metrics", promql: "up" }],
  ["get_events", '{"of":"pod/cart-0"}', { kind: "events", of: "pod/cart-0" }],
  ["get_topology", "{}", { kind: "topology" }],
])("%s with %s is that look", (name, args, probe) => {
  expect(read(name, args)).toEqual({ value: probe });
});

test.each([
  ["get_logs", "{}"],
  ["get_logs", '{"of":"--all"}'],
  ["get_logs", '{"of":"cart-0","lines":100000}'],
  ["get_logs", '{"of":"cart-0","container":"-f"}'],
  ["get_events", '{"of":"pod/$(id)"}'],
  ["query_metrics", '{"promql":7}'],
  ["probe_system", '{"command":""}'],
  ["probe_system", "[]"],
  ["probe_system", "kubectl get pods"],
])("%s with %s is explained and not run", (name, args) => {
  expect(read(name, args)).toMatchObject({ problem: expect.stringMatching(/^Error: .*must be one JSON/) });
});
