import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { expect, test } from "vitest";
import { systemNamespace } from "../places.ts";
import { createMachine } from "./machine/machine.ts";
import { runMicroremed } from "./rehearse.ts";
import { rehearseDev } from "./rehearse-dev.ts";
import type { RunningPod } from "./run-pod.ts";
import type { Site } from "./run-site.ts";

// docs/kubernetes.md, Backup: in the middle of an experiment a backup is made, and later NATS, Redis and all services are
// lost with everything that happened since. The clusters under test are not.
const stages = ["injector", "remediator", "executor", "verifier"];

test("an experiment of which NATS, Redis and all services were lost goes on from a backup, and ends as if nothing had been", async () => {
  await using stack = new AsyncDisposableStack();
  const dir = await mkdtemp(join(tmpdir(), "microremed-dev-"));
  stack.defer(() => rm(dir, { recursive: true }));
  const machine = stack.use(await createMachine());
  const site = stack.use(await rehearseDev(dir, machine));
  await site.start();
  const request = join(dir, "request.json");
  const failures = ["cpu-stress", "pod-fail", "cpu-stress", "pod-fail", "cpu-stress", "pod-fail"];
  const wanted = { environment: "simple-micro", model: "reference/runbook", failures, seed: 1 };
  // One after the other, so that what was under way at the backup is over when everything is lost.
  await writeFile(request, JSON.stringify({ ...wanted, maxParallel: 1 }));
  const experimentId = (await runMicroremed(["submit", "-f", request], asUser(site, "client"))).trim();
  const report = async (): Promise<Report> =>
    JSON.parse(
      await runMicroremed(["report", experimentId, "--format", "json"], asUser(site, "client")),
    ) as Report;
  const ended = async (): Promise<number> =>
    (await report()).episodes.filter(({ outcome }) => outcome !== null).length;
  const untilEnded = (count: number) => expect.poll(ended, { interval: 2_000 }).toBeGreaterThanOrEqual(count);

  await untilEnded(1);
  const data = (name: string): string => join(dir, systemNamespace, name, "volumes", "data");
  const kept = (name: string): string => join(dir, `${name}-backup`);
  await copy(data("redis-0"), kept("redis-0"));
  await only(site.podsOf("nats")).stop();
  await copy(data("nats-0"), kept("nats-0"));
  await site.replace(only(site.podsOf("nats"))).ready;
  await untilEnded(4);

  const services = ["scheduler", ...stages];
  await Promise.all(
    [...services, "nats", "redis"].flatMap((name) => site.podsOf(name)).map((pod) => pod.lose()),
  );
  for (const name of services) await site.scale(name, 0);
  for (const name of ["redis", "nats"]) {
    const lost = only(site.podsOf(name));
    await rm(data(lost.name), { recursive: true });
    await copy(kept(lost.name), data(lost.name));
    await site.replace(lost).ready;
  }
  await site.scale("scheduler", 1);
  expect(await ended()).toBeLessThan(4);
  const redis = `redis://admin:${site.secret("admin-credentials", "REDIS_PASSWORD")}@${site.addressOf("redis")}:6379`;
  await runMicroremed(["recover"], { ...asUser(site, "admin"), REDIS_URL: redis });
  for (const name of stages) await site.scale(name, 1);

  await untilEnded(failures.length);
  const { summary, episodes } = await report();
  expect(episodes.filter(({ outcome }) => outcome !== "remediated")).toEqual([]);
  expect(summary).toMatchObject({ remediated: failures.length });
  expect((await site.findings()).complaints).toEqual([]);
}, 1_200_000);

/** With its owners. */
const copy = (from: string, to: string) => execa("cp", ["-a", from, to], { timeout: 60_000 });

interface Report {
  readonly episodes: readonly { readonly outcome: string | null }[];
  readonly summary: object;
}

/** NATS's current address for external clients. */
const asUser = (site: Site, user: "client" | "admin"): Record<string, string> => ({
  NATS_URL: `nats://${site.addressOf("nats")}:4222`,
  NATS_USER: user,
  NATS_PASSWORD: site.secret(`${user}-credentials`, "NATS_PASSWORD"),
});

function only(pods: readonly RunningPod[]): RunningPod {
  const [pod] = pods;
  if (pod && pods.length === 1) return pod;
  throw new TypeError(`${pods.length} pods instead of one`);
}
