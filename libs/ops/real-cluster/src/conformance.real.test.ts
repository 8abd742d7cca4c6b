import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  agreementTable,
  type CaseResult,
  compareResults,
  differences,
  runConformance,
  summaryOf,
} from "@microremed/conformance";
import { embeddedResults } from "@microremed/conformance/testing";
import { expect, test } from "vitest";
import { installAddons } from "./addons.ts";
import { buildKubernetes } from "./build-kubernetes.ts";
import { explained, outdatedExplanations } from "./explained.ts";
import { baseImages } from "./images.ts";
import { whyImpossible } from "./impossible.ts";
import { type KubernetesVersion, kubernetesVersions } from "./pins.ts";
import { startRealCluster } from "./real-cluster.ts";

const impossible = await whyImpossible();
const withinMs = 3 * 3_600_000;
const folder = fileURLToPath(new URL("../results/", import.meta.url));
const say = (line: string): void => void process.stderr.write(`${line}\n`);

if (impossible) say(`The tests on a real Kubernetes are skipped: ${impossible}`);

async function realResults(version: KubernetesVersion): Promise<readonly CaseResult[]> {
  const images = await baseImages(say);
  await using cluster = await startRealCluster({ version, images, say });
  await installAddons(cluster, say);
  const { kubeconfig, programs } = cluster;
  let count = 0;
  const results = await runConformance({
    ...{ kubeconfig, programs, jobs: 6, tries: 3, deadlineMs: 60_000, endsAfterwards: true },
    onResult: () => ++count % 100 === 0 && say(`Kubernetes ${version}: ${count} cases`),
  });
  say(`Kubernetes ${version}: ${summaryOf(results)}`);
  return results;
}

/** The embedded cluster says that it is this one. */
const [claimed] = kubernetesVersions;
let embedded: Promise<readonly CaseResult[]> | undefined;

test.skipIf(impossible).each(kubernetesVersions)(
  "Kubernetes %s and the embedded cluster agree in every case but the explained ones",
  async (version) => {
    const real = await realResults(version);
    embedded ??= buildKubernetes(claimed, say).then((programs) => embeddedResults({ programs }));
    const agreement = compareResults(real, await embedded);
    say(agreementTable(agreement));
    const disagreements = agreement.disagreements.map((one) => ({
      ...one,
      why: explained.get(`${one.area}: ${one.name}`),
    }));
    await mkdir(folder, { recursive: true });
    const text = JSON.stringify({ version, ...agreement, disagreements }, undefined, 2);
    await writeFile(join(folder, `conformance-${version}.json`), `${text}\n`);
    expect(disagreements.filter(({ why }) => why === undefined)).toEqual([]);
    expect(agreement.failedOnBoth).toEqual([]);
    expect(outdatedExplanations(explained, differences(real, await embedded))).toEqual([]);
  },
  withinMs,
);
