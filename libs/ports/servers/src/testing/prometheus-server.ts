import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { busyFactor } from "@microremed/core";
import { freePort } from "../free-port.ts";

/** A real Prometheus. */
export interface PrometheusServer extends AsyncDisposable {
  readonly url: string;
  /** GET of its API; throws what it says when it refuses. */
  api<T>(path: string, query?: Readonly<Record<string, string>>): Promise<T>;
}

const readyWithinMs = 30_000;

/** Scrapes every second, with this beside it in its configuration. */
export async function startPrometheus(program: string, more: object): Promise<PrometheusServer> {
  const stack = new AsyncDisposableStack();
  const dir = await mkdtemp(join(tmpdir(), "microremed-prometheus-"));
  stack.defer(() => rm(dir, { recursive: true, force: true, maxRetries: 5 }));
  const config = join(dir, "prometheus.json");
  const global = { scrape_interval: "1s", evaluation_interval: "1s" };
  await writeFile(config, JSON.stringify({ global, ...more }));
  const address = `127.0.0.1:${await freePort()}`;
  const options = {
    "config.file": config,
    "storage.tsdb.path": join(dir, "data"),
    "web.listen-address": address,
  };
  const args = Object.entries(options).map(([name, value]) => `--${name}=${value}`);
  const child = spawn(program, args, { stdio: "ignore" });
  stack.defer(async () => {
    if (child.exitCode === null && child.kill()) await once(child, "exit");
  });
  const url = `http://${address}`;
  const startedAt = performance.now();
  while (!(await fetch(`${url}/-/ready`).catch(() => undefined))?.ok) {
    if (performance.now() - startedAt > readyWithinMs * busyFactor() || child.exitCode !== null)
      throw new Error("Prometheus does not start");
    await delay(100);
  }
  return {
    url,
    api: async <T>(path: string, query: Readonly<Record<string, string>> = {}) => {
      const response = await fetch(`${url}/api/v1/${path}?${new URLSearchParams(query)}`);
      const answer = (await response.json()) as { status: string; error?: string; data: T };
      if (answer.status !== "success") throw new Error(`${path} ${JSON.stringify(query)}: ${answer.error}`);
      return answer.data;
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}
