import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { prepareStaging } from "../testing/prepare-staging.ts";
import { createMachine } from "./machine/machine.ts";
import { rehearse } from "./rehearse.ts";
import { messagesHandled } from "./rehearse-dev.ts";
import { rehearseSplit } from "./rehearse-split.ts";

test("an experiment runs through both halves of MicroRemed-CS, joined by a leaf node that dials out", async () => {
  await using stack = new AsyncDisposableStack();
  const dir = await mkdtemp(join(tmpdir(), "microremed-split-"));
  stack.defer(() => rm(dir, { recursive: true }));
  await chmod(dir, 0o711);

  const machine = stack.use(await createMachine());
  const staging = stack.use(await prepareStaging(dir, machine.network));
  const { cluster, llm } = await rehearseSplit(dir, machine, staging);
  stack.use(cluster);
  stack.use(llm);
  await Promise.all([cluster.start(), llm.start()]);
  const authority = join(dir, "ca.crt");
  await writeFile(authority, llm.secret("backbone-ca", "ca.crt"));
  const { report } = await rehearse({
    client: {
      NATS_URL: `tls://${cluster.addressOf("nats")}:4222`,
      NATS_USER: "client",
      NATS_PASSWORD: cluster.secret("client-credentials", "NATS_PASSWORD"),
      NATS_CA_FILE: authority,
    },
    request: {
      environment: "simple-micro",
      model: ["reference/runbook", "reference/restart"],
      failures: ["pod-fail"],
      // The verifier puts the fault back on the new pods of a restart, with its own rights.
      persistence: "rearm",
      maxAttempts: 1,
      seed: 1,
    },
    midway: { episodes: 1, act: async () => undefined },
  });
  const { episodes } = report as { episodes: { outcome: string; model: string; reason: string | null }[] };
  const outcomes = episodes.map(({ model, outcome, reason }) =>
    outcome === "harness-error" ? reason : `${model}: ${outcome}`,
  );
  expect(outcomes.sort()).toEqual(["reference/restart: not-remediated", "reference/runbook: remediated"]);
  // Whichever of its replicas took them.
  const turns = await Promise.all(llm.podsOf("remediator-reference").map(messagesHandled));
  expect(turns.reduce((sum, one) => sum + one, 0)).toBeGreaterThanOrEqual(2);
  for (const site of [cluster, llm]) expect((await site.findings()).complaints).toEqual([]);
}, 900_000);
