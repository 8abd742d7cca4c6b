import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { prepareStaging } from "../testing/prepare-staging.ts";
import { rehearse } from "./rehearse.ts";
import { messagesHandled } from "./rehearse-dev.ts";
import { rehearseSplit } from "./rehearse-split.ts";

test("an experiment runs through both halves of MicroRemed-CS, joined by a leaf node that dials out", async () => {
  await using stack = new AsyncDisposableStack();
  const dir = await mkdtemp(join(tmpdir(), "microremed-split-"));
  stack.defer(() => rm(dir, { recursive: true }));
  await chmod(dir, 0o711);

  const { kubeconfigs, clusters } = stack.use(await prepareStaging(dir));
  const { cluster, llm } = await rehearseSplit(dir, kubeconfigs, clusters);
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
      model: "reference/runbook",
      failures: ["cpu-stress", "pod-fail"],
      seed: 1,
    },
    midway: { episodes: 1, act: async () => undefined },
  });
  const { episodes } = report as { episodes: { outcome: string; reason: string | null }[] };
  expect(episodes.filter(({ outcome }) => outcome !== "remediated")).toEqual([]);
  expect(episodes).toHaveLength(2);
  // Whichever of its replicas took them.
  const turns = await Promise.all(llm.podsOf("remediator-reference").map(messagesHandled));
  expect(turns.reduce((sum, one) => sum + one, 0)).toBeGreaterThanOrEqual(2);
}, 600_000);
