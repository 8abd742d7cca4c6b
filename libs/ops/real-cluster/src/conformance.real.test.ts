import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  agreementTable,
  type CaseResult,
  compareResults,
  runConformance,
  summaryOf,
} from "@microremed/conformance";
import { environments } from "@microremed/environments";
import { startSimCluster } from "@microremed/simcluster";
import { expect, test } from "vitest";
import { installAddons } from "./addons.ts";
import { explained } from "./explained.ts";
import { baseImages } from "./images.ts";
import { whyImpossible } from "./impossible.ts";
import { kubernetesVersions } from "./pins.ts";
import { startRealCluster } from "./real-cluster.ts";

const impossible = await whyImpossible();
const withinMs = 3 * 3_600_000;
const results = fileURLToPath(new URL("../results/", import.meta.url));
const say = (line: string): void => void process.stderr.write(`${line}\n`);
const save = async (name: string, value: object): Promise<void> => {
  await mkdir(results, { recursive: true });
  await writeFile(join(results, name), `${JSON.stringify(value, undefined, 2)}\n`);
};

if (impossible) say(`The tests on a real Kubernetes are skipped: ${impossible}.`);

async function onEmbedded(): Promise<readonly CaseResult[]> {
  const dir = await mkdtemp(join(tmpdir(), "microremed-embedded-"));
  try {
    await using cluster = await startSimCluster({
      name: "conformance",
      seed: 1,
      timeScale: 30,
      environments: [environments.get("online-boutique")],
    });
    const kubeconfig = join(dir, "kubeconfig");
    await writeFile(kubeconfig, cluster.kubeconfig);
    return await runConformance({ kubeconfig, jobs: 6, tries: 2 });
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

test.skipIf(impossible).each(kubernetesVersions)(
  "Kubernetes %s and the embedded cluster agree in every case but the explained ones",
  async (version) => {
    const images = await baseImages(say);
    await using cluster = await startRealCluster({ version, images, say });
    await installAddons(cluster, say);
    const real = await runConformance({
      kubeconfig: cluster.kubeconfig,
      jobs: 4,
      tries: 3,
      deadlineMs: 240_000,
    });
    say(`real ${version}: ${summaryOf(real)}`);
    const agreement = compareResults(real, await onEmbedded());
    say(agreementTable(agreement));
    await save(`conformance-${version}.json`, agreement);
    const unknown = agreement.disagreements.filter(({ area, name }) => !explained.has(`${area}: ${name}`));
    expect(unknown).toEqual([]);
  },
  withinMs,
);
