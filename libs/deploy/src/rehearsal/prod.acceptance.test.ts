import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { streams } from "@microremed/contracts";
import { expect, test } from "vitest";
import { prepareStaging } from "../testing/prepare-staging.ts";
import { rehearse } from "./rehearse.ts";
import { rehearseProd } from "./rehearse-prod.ts";

test("prod's NATS are a cluster of three with TLS, and an experiment outlives any one of them", async () => {
  await using stack = new AsyncDisposableStack();
  const dir = await mkdtemp(join(tmpdir(), "microremed-prod-"));
  stack.defer(() => rm(dir, { recursive: true }));
  await chmod(dir, 0o711);
  const { kubeconfigs, clusters } = stack.use(await prepareStaging(dir));
  const site = stack.use(await rehearseProd(dir, kubeconfigs, clusters));
  await site.start();

  const servers = site.podsOf("nats");
  expect(servers).toHaveLength(3);
  const authority = join(dir, "ca.crt");
  await writeFile(authority, site.secret("backbone-ca", "ca.crt"));
  const { report } = await rehearse({
    client: {
      // The bare client knows one server; another one dies.
      NATS_URL: "tls://nats-0.nats.microremed-system.svc.cluster.local:4222",
      NATS_USER: "client",
      NATS_PASSWORD: site.secret("client-credentials", "NATS_PASSWORD"),
      NATS_CA_FILE: authority,
    },
    hosts: site.hosts,
    request: {
      environment: "simple-micro",
      model: "reference/runbook",
      failures: ["cpu-stress", "pod-fail", "cpu-stress", "pod-fail"],
      seed: 1,
    },
    midway: {
      episodes: 1,
      act: async () => {
        for (const { ip } of servers) expect(await streamsKeptBy(ip)).toBe(Object.keys(streams).length);
        await servers[1]?.lose();
      },
    },
  });
  expect(report).toMatchObject({ summary: { remediated: 4, harnessErrors: 0 } });
}, 600_000);

/** How many streams a server has a copy of. */
async function streamsKeptBy(ip: string): Promise<number> {
  const answer = await fetch(`http://${ip}:8222/jsz`, { signal: AbortSignal.timeout(10_000) });
  return ((await answer.json()) as { streams: number }).streams;
}
