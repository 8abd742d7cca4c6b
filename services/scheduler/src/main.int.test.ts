import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { connectNatsBus } from "@microremed/bus/nats";
import { silentLogger } from "@microremed/core";
import { startNatsServer, startRedisServer } from "@microremed/servers";
import { expect, test } from "vitest";

/** Starts the service as a process; `lines` grows with its log. */
function start(variables: Record<string, string>) {
  const child = spawn(process.execPath, [join(import.meta.dirname, "main.ts")], {
    env: { PATH: process.env["PATH"], ...variables },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  child.stdout.on("data", (chunk) => {
    text += String(chunk);
  });
  return {
    child,
    ended: once(child, "exit"),
    log: () => text,
    lines: (): Record<string, unknown>[] =>
      text
        .trim()
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
  };
}

test("runs as a process: ready, healthy, counting, and gone in order after SIGTERM, without a word of its secrets", async () => {
  await using nats = await startNatsServer({ user: "range", password: "nats-secret" });
  await using redis = await startRedisServer({ password: "redis-secret" });
  const clustersFile = join(nats.dir, "clusters.yaml");
  await writeFile(clustersFile, "clusters: [{ name: c1, kubeconfig: nowhere.yaml, arenas: 2 }]\n");
  const service = start({
    NATS_URL: nats.url,
    NATS_USER: "range",
    NATS_PASSWORD: "nats-secret",
    REDIS_URL: redis.url,
    CLUSTERS_FILE: clustersFile,
  });
  await expect.poll(() => service.lines().some(({ msg }) => msg === "ready")).toBe(true);
  const port = service.lines().find((line) => line["health_port"])?.["health_port"];
  const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
  expect((await get("/healthz")).status).toBe(200);
  expect(await (await get("/readyz")).text()).toBe("ok\n");

  await using bus = await connectNatsBus({
    servers: nats.url,
    name: "test",
    user: "range",
    password: "nats-secret",
    log: silentLogger,
  });
  const reply = await bus.submit({ environment: "simple-micro", model: "m", failures: ["nonsense"] });
  expect(reply).toMatchObject({ status: "rejected", issues: [{ path: "failures.0" }] });
  await expect
    .poll(async () => (await get("/metrics")).text())
    .toMatch(/microremed_messages_handled_total\{op="experiments.submit",outcome="ok".*\} 1/);
  expect(service.lines().find(({ op }) => op === "experiments.submit")).toMatchObject({
    ok: true,
    delivery: 1,
  });

  service.child.kill("SIGTERM");
  expect(await service.ended).toEqual([0, null]);
  expect(service.log()).not.toMatch(/(nats|redis)-secret/);
});

test("a wrong configuration ends it at once with 2 and names every wrong variable", async () => {
  const service = start({ HEALTH_PORT: "many", LOG_LEVEL: "loud" });
  expect(await service.ended).toEqual([2, null]);
  const message = String(service.lines()[0]?.["error_message"]);
  for (const name of ["CLUSTERS_FILE", "HEALTH_PORT", "LOG_LEVEL"]) expect(message).toContain(name);
});
