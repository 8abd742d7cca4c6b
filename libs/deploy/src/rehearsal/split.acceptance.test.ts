import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { environments } from "@microremed/environments";
import { startSimCluster } from "@microremed/simcluster";
import { expect, test } from "vitest";
import { k8sRoot } from "../places.ts";
import { createKubectl } from "../target/kubectl.ts";
import { prepareTarget } from "../target/prepare-target.ts";
import { rehearse } from "./rehearse.ts";
import { messagesHandled } from "./rehearse-dev.ts";
import { rehearseSplit } from "./rehearse-split.ts";

test("an experiment runs through both halves of MicroRemed-CS, joined by a leaf node that dials out", async () => {
  await using stack = new AsyncDisposableStack();
  const dir = await mkdtemp(join(tmpdir(), "microremed-split-"));
  stack.defer(() => rm(dir, { recursive: true }));
  await chmod(dir, 0o711);

  // The cluster under test: somebody else's as far as the range can tell.
  const target = stack.use(
    await startSimCluster({
      name: "staging",
      seed: 1,
      timeScale: 60,
      environments: [environments.get("simple-micro")],
    }),
  );
  const kubeconfig = join(dir, "admin.kubeconfig");
  await writeFile(kubeconfig, target.kubeconfig, { mode: 0o600 });
  const out = join(dir, "kubeconfigs");
  const kubectl = createKubectl(kubeconfig);
  await prepareTarget({
    kubectl,
    kubeconfig,
    name: "staging",
    out,
    namespaces: [],
    podsPerArena: 100,
    dryRun: false,
  });

  await kubectl(["apply", "-f", join(k8sRoot, "components/embedded-clusters/clock.yaml")]);
  const clusters = `clusters: [{ name: staging, kubeconfig: ../kubeconfigs/staging, arenas: 1, clock: "${target.clockUrl}" }]`;
  const { cluster, llm } = await rehearseSplit(dir, out, clusters);
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
  const [remediator] = llm.podsOf("remediator-reference");
  expect(remediator && (await messagesHandled(remediator))).toBeGreaterThanOrEqual(2);
}, 600_000);
