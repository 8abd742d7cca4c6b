import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createMachine } from "./machine/machine.ts";
import { rehearse } from "./rehearse.ts";
import { rehearseDev } from "./rehearse-dev.ts";

test("dev runs as its manifests say: scaled and rolled out in the middle, no episode is lost", async () => {
  await using stack = new AsyncDisposableStack();
  const dir = await mkdtemp(join(tmpdir(), "microremed-dev-"));
  stack.defer(() => rm(dir, { recursive: true }));
  const machine = stack.use(await createMachine());
  const site = stack.use(await rehearseDev(dir, machine));
  await site.start();
  const failures = Array.from({ length: 3 }, () => [
    "cpu-stress",
    "pod-fail",
    "network-loss",
    "memory-stress",
  ]).flat();
  const { report } = await rehearse({
    client: {
      NATS_URL: `nats://${site.addressOf("nats")}:4222`,
      NATS_USER: "client",
      NATS_PASSWORD: site.secret("client-credentials", "NATS_PASSWORD"),
    },
    request: { environment: "simple-micro", model: "reference/runbook", failures, seed: 1 },
    midway: {
      episodes: 2,
      act: async () => {
        await site.scale("remediator", 4);
        // An upgrade: every service's pods are replaced while they work.
        for (const name of ["scheduler", "injector", "executor", "verifier", "remediator"])
          await site.rollOut(name);
      },
    },
  });
  expect(report).toMatchObject({ summary: { remediated: 12, harnessErrors: 0 } });
  expect(site.podsOf("remediator")).toHaveLength(4);
  expect((await site.findings()).complaints).toEqual([]);
}, 900_000);
