import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { installAddons } from "./addons.ts";
import { explainedOutcomes } from "./explained.ts";
import { baseImages } from "./images.ts";
import { whyImpossible } from "./impossible.ts";
import { kubernetesVersions } from "./pins.ts";
import { productImages } from "./product-images.ts";
import { startRealCluster } from "./real-cluster.ts";
import { type ComparedTrial, compareEnds, type Ended } from "./testing/outcomes.ts";
import { openOutcomes } from "./testing/outcomes-file.ts";
import { catalogueDirs, runOnEmbedded, runOnReal } from "./testing/run-on-clusters.ts";
import { keyOf, planTrials } from "./testing/trials.ts";

const impossible = await whyImpossible();
const withinMs = 3 * 3_600_000;
const [version] = kubernetesVersions;
const nodes = 2;
/** The same on both: most of what a trial takes on a real cluster is waiting. */
const bounds = { soakSeconds: 0, recoverySeconds: 120 };
const results = fileURLToPath(new URL(`../results/outcomes-${version}.json`, import.meta.url));
const say = (line: string): void => void process.stderr.write(`${line}\n`);
/** Parts of the names of the trials that are run. */
const only = process.env["OUTCOMES"]?.split(",") ?? [""];

if (impossible) say(`The test of outcomes on a real Kubernetes is skipped: ${impossible}`);

test.skipIf(impossible)(
  "episodes on a real cluster end as on embedded ones",
  async () => {
    const all = await planTrials(catalogueDirs, bounds);
    const trials = all.filter((trial) => only.some((part) => keyOf(trial).includes(part)));
    const file = await openOutcomes(results, { version, ...bounds }, new Set(all.map(keyOf)));
    const embedded = new Map<string, Ended>();
    await runOnEmbedded(trials, async (trial, ended) => {
      say(`embedded: ${keyOf(trial)}: ${ended.outcome}`);
      embedded.set(keyOf(trial), ended);
    });
    const compared: ComparedTrial[] = [];
    const images = [...(await baseImages(say)), ...(await productImages(say))];
    await using cluster = await startRealCluster({ version, images, nodes, enforcesPolicies: true, say });
    await installAddons(cluster, say);
    await runOnReal(cluster, trials, async (trial, ended) => {
      const other = embedded.get(keyOf(trial));
      if (!other) throw new Error(`${keyOf(trial)} has not ended on an embedded cluster`);
      const one = compareEnds(trial, ended, other, explainedOutcomes);
      compared.push(one);
      say(`real: ${keyOf(trial)}: ${ended.outcome}${one.agrees ? "" : `, embedded: ${other.outcome}`}`);
      await file.add(one);
    });
    expect(compared.length).toBe(trials.length);
    expect(compared.filter(({ agrees, why }) => !agrees && why === undefined)).toEqual([]);
  },
  withinMs,
);
