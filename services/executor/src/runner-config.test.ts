import { hostname, networkInterfaces } from "node:os";
import { expect, test } from "vitest";
import { z } from "zod";
import { runnerConfig, runnerSettings } from "./runner-config.ts";

const schema = z.object(runnerConfig);
const config = schema.parse({ RUNNER_KUBECONFIG: "k", RUNNER_IMAGE: "i" });
const own = Object.values(networkInterfaces())
  .flatMap((addresses = []) => addresses)
  .filter(({ internal, family }) => !internal && family === "IPv4")
  .map(({ address }) => address);

test("no cluster or no image: there are no runner pods", () => {
  const health = { host: "127.0.0.1", port: 9090 };
  for (const variables of [{}, { RUNNER_KUBECONFIG: "k" }, { RUNNER_IMAGE: "i" }])
    expect(runnerSettings(schema.parse(variables), health)).toBeUndefined();
  expect(runnerSettings(config, health)).toMatchObject({ image: "i", warm: 2, most: 8, network: "enforced" });
  expect(hostname()).toContain(runnerSettings(config, health)?.owner);
});

test("pods must not reach the executor, wherever it answers", () => {
  const metadata = ["169.254.169.254", 80];
  const unreachable = (host: string, port: number) => runnerSettings(config, { host, port })?.unreachable;
  expect(unreachable("127.0.0.1", 9090)).toEqual([metadata]);
  expect(unreachable("0.0.0.0", 0)).toEqual([metadata]);
  expect(unreachable("10.1.2.3", 9090)).toEqual([metadata, ["10.1.2.3", 9090]]);
  for (const every of ["0.0.0.0", "::"])
    expect(unreachable(every, 9090)).toEqual([metadata, ...own.map((address) => [address, 9090])]);
});

test("node selectors and tolerations are JSON", () => {
  const parsed = schema.parse({
    RUNNER_NODES: '{"pool":"a"}',
    RUNNER_TOLERATIONS: '[{"operator":"Exists"}]',
  });
  expect(parsed).toMatchObject({ RUNNER_NODES: { pool: "a" }, RUNNER_TOLERATIONS: [{ operator: "Exists" }] });
  for (const wrong of ["{", "[]", '{"pool":1}'])
    expect(schema.safeParse({ RUNNER_NODES: wrong }).success, wrong).toBe(false);
  expect(schema.safeParse({ RUNNER_MEMORY: "lots" }).success).toBe(false);
});
