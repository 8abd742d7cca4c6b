import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { environments } from "@microremed/environments";
import { startSimCluster } from "@microremed/simcluster";
import { expect, test } from "vitest";
import { knownGaps } from "./known-gaps.ts";
import { caseTable } from "./report.ts";
import { runConformance } from "./run-conformance.ts";

test("the embedded cluster passes every case but the known gaps", async () => {
  const dir = await mkdtemp(join(tmpdir(), "conformance-test-"));
  try {
    await using cluster = await startSimCluster({
      name: "conformance",
      seed: 1,
      timeScale: 30,
      environments: [environments.get("online-boutique")],
    });
    const kubeconfig = join(dir, "kubeconfig");
    await writeFile(kubeconfig, cluster.kubeconfig);
    const results = await runConformance({ kubeconfig, jobs: 6, tries: 2 });
    const isKnown = ({ area, name }: { readonly area: string; readonly name: string }): boolean =>
      knownGaps.has(`${area}: ${name}`);
    const bad = results.filter((result) => (result.outcome === "passed") === isKnown(result));
    expect(caseTable(bad)).toBe("");
    expect(results.length).toBeGreaterThanOrEqual(300);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
});
