import { chaosKinds } from "@microremed/cluster";
import type { InProcessClusters } from "@microremed/cluster/in-process";
import { createPolicyRegistry } from "@microremed/policies";
import { builtInCatalogue } from "@microremed/registry";
import { expect, test } from "vitest";
import { type InProcessRunner, startInProcessRange } from "./start-in-process-range.ts";

/** Stands in for Ansible: whatever the playbook says, it removes the chaos objects with the playbook's credentials. */
const removesChaos = (clusters: InProcessClusters): InProcessRunner => ({
  policies: createPolicyRegistry(undefined),
  runPlaybook: async ({ kubeconfig }) => {
    const { cluster, namespace } = clusters.open(kubeconfig);
    for (const kind of chaosKinds) {
      for (const { metadata } of await cluster.list(kind, { namespace }))
        await cluster.delete(kind, namespace, metadata.name);
    }
    return { status: "ok", exitCode: 0, output: "", wallSeconds: 0 };
  },
  runProbe: async () => ({ status: "ok", exitCode: 0, output: "" }),
  runTelemetry: async () => ({ status: "ok", exitCode: 0, output: "" }),
});

test("an episode passes through all five services in one process, without a socket", async () => {
  await using range = await startInProcessRange({
    catalogue: await builtInCatalogue(),
    environments: ["simple-micro"],
    runner: removesChaos,
  });
  const { client } = range;
  const reply = await client.submit({
    id: "one-process",
    environment: "simple-micro",
    model: "reference/runbook",
    method: "SoloGen",
    failures: ["cpu-stress"],
  });
  expect(reply).toEqual({ status: "accepted", experimentId: "one-process", episodes: 1 });
  const states: string[] = [];
  for await (const event of client.events("one-process", AbortSignal.timeout(300_000))) {
    if (event.type === "episode-advanced") states.push(event.state);
    if (event.type === "experiment-finished") break;
  }
  expect(states).toEqual(["leased", "prepared", "solving", "acting", "grading", "restoring"]);
  const { episodes } = await client.experiment("one-process");
  expect(episodes.map(({ outcome, restored }) => [outcome, restored])).toEqual([["remediated", "reset"]]);
});
