import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { streams } from "@microremed/contracts";
import { expect, test } from "vitest";
import { prepareStaging } from "../testing/prepare-staging.ts";
import { startModelServers } from "../testing/start-model-servers.ts";
import { createMachine } from "./machine/machine.ts";
import { rehearse } from "./rehearse.ts";
import { rehearseProd } from "./rehearse-prod.ts";
import type { RunningPod } from "./run-pod.ts";

test("prod's NATS is a cluster of three with TLS: one is killed, comes back elsewhere and catches up before the next dies", async () => {
  await using stack = new AsyncDisposableStack();
  const dir = await mkdtemp(join(tmpdir(), "microremed-prod-"));
  stack.defer(() => rm(dir, { recursive: true }));
  await chmod(dir, 0o711);
  const machine = stack.use(await createMachine());
  const staging = stack.use(await prepareStaging(dir, machine.network));
  const models = stack.use(await startModelServers(machine.network.gateway));
  const site = stack.use(await rehearseProd(dir, machine, staging, models));
  await site.start();

  const [first, second, third] = site.podsOf("nats");
  if (!first || !second || !third) throw new TypeError("prod has three NATS servers");
  const authority = join(dir, "ca.crt");
  await writeFile(authority, site.secret("backbone-ca", "ca.crt"));
  const { report } = await rehearse({
    client: {
      // The bare client knows one server; the others die.
      NATS_URL: "tls://nats-0.nats.microremed-system.svc.cluster.local:4222",
      NATS_USER: "client",
      NATS_PASSWORD: site.secret("client-credentials", "NATS_PASSWORD"),
      NATS_CA_FILE: authority,
    },
    hosts: site.hosts,
    request: {
      environment: "simple-micro",
      model: ["reference/runbook", "gpt-4.1", "qwen3-32b"],
      failures: ["cpu-stress", "pod-fail"],
      seed: 1,
    },
    midway: {
      episodes: 1,
      act: async () => {
        const others = [first, third];
        for (const { ip } of [second, third])
          expect(await streamsOf(ip)).toHaveLength(Object.keys(streams).length);
        await second.lose();
        await expect.poll(() => behind(others)).toContain("nats-1");
        const back = site.replace(second);
        // Its startup probe asks it whether its streams and consumers are there and current.
        await back.ready;
        await expect.poll(() => behind(others)).toEqual([]);
        expect(back.ip).not.toBe(second.ip);
        // Now two of three must hold without this one, so the one that came back is needed.
        await third.lose();
      },
    },
  });
  const { episodes } = report as { episodes: { outcome: string; reason: string | null }[] };
  expect(episodes.filter(({ outcome }) => outcome !== "remediated")).toEqual([]);
  expect(episodes).toHaveLength(6);
  expect(models.answered.get("gpt-4.1")).toBeGreaterThanOrEqual(2);
  expect(models.answered.get("qwen3-32b")).toBeGreaterThanOrEqual(2);
  const { complaints, connections } = await site.findings();
  expect(complaints).toEqual([]);
  if (machine.network.isolated) expect(connections).toBeGreaterThan(30);
}, 900_000);

interface Stream {
  readonly name: string;
  readonly cluster?: {
    readonly leader?: string;
    readonly replicas?: readonly { readonly name: string; readonly current: boolean }[];
  };
}

/** The streams that a server reports a copy of. */
async function streamsOf(ip: string): Promise<readonly Stream[]> {
  const answer = await fetch(`http://${ip}:8222/jsz?acc=$G&streams=true`, {
    signal: AbortSignal.timeout(10_000),
  });
  const { account_details: accounts } = (await answer.json()) as {
    account_details?: readonly { readonly stream_detail?: readonly Stream[] }[];
  };
  return accounts?.[0]?.stream_detail ?? [];
}

/** Servers that are behind, or away, with some stream, as the leader of that stream among these sees it. */
async function behind(servers: readonly RunningPod[]): Promise<string[]> {
  const streamsSeen = await Promise.all(
    servers.map(async ({ ip, name }) =>
      (await streamsOf(ip)).filter(({ cluster }) => cluster?.leader === name),
    ),
  );
  const replicas = streamsSeen.flat().flatMap(({ cluster }) => cluster?.replicas ?? []);
  return [...new Set(replicas.filter(({ current }) => !current).map(({ name }) => name))];
}
