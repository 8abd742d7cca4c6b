import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { installAddons } from "./addons.ts";
import { explainedOutcomes, outdatedExplanations } from "./explained.ts";
import { baseImages } from "./images.ts";
import { whyImpossible } from "./impossible.ts";
import { kubernetesVersions } from "./pins.ts";
import { productImages } from "./product-images.ts";
import { startRealCluster } from "./real-cluster.ts";
import { type ComparedTrial, compareEnds, type Ended } from "./testing/outcomes.ts";
import { openResults } from "./testing/results-file.ts";
import { catalogueDirs, runOnEmbedded, runOnReal } from "./testing/run-on-clusters.ts";
import { keyOf, type PlannedTrial, planTrials } from "./testing/trials.ts";

const impossible = await whyImpossible();
const withinMs = 3 * 3_600_000;
const [version] = kubernetesVersions;
const nodes = 3;
/** The same on both: most of what a trial takes on a real cluster is waiting. */
const bounds = { soakSeconds: 0, recoverySeconds: 120 };
const results = fileURLToPath(new URL(`../results/outcomes-${version}.json`, import.meta.url));
const say = (line: string): void => void process.stderr.write(`${line}\n`);
/** Parts of the names of the trials that are run. */
const only = process.env["OUTCOMES"]?.split(",") ?? [""];

if (impossible) say(`The test of outcomes on a real Kubernetes is skipped: ${impossible}`);

/** Returns when all have ended, in whatever way; throws the first error. */
async function allEnded(all: readonly Promise<void>[]): Promise<void> {
  const settled = await Promise.allSettled(all);
  const failed = settled.find(({ status }) => status === "rejected");
  if (failed?.status === "rejected") throw failed.reason;
}

test.skipIf(impossible)(
  "episodes on a real cluster end as on embedded ones",
  async () => {
    const all = await planTrials(catalogueDirs, bounds);
    const trials = all.filter((trial) => only.some((part) => keyOf(trial).includes(part)));
    if (trials.length === 0)
      throw new TypeError(
        `OUTCOMES=${only.join()}: no trial has such a name. Names: ${all.map(keyOf).join(", ")}`,
      );
    const heading = { version, ...bounds };
    const known = new Set(all.map(keyOf));
    const file = await openResults<ComparedTrial>({ path: results, heading, keyOf, known });
    const ends = { real: new Map<string, Ended>(), embedded: new Map<string, Ended>() };
    const compared: ComparedTrial[] = [];
    const noteOn = (place: keyof typeof ends) => async (trial: PlannedTrial, ended: Ended) => {
      const key = keyOf(trial);
      say(`${place}: ${key}: ${ended.outcome}`);
      ends[place].set(key, ended);
      const [real, embedded] = [ends.real.get(key), ends.embedded.get(key)];
      if (!real || !embedded) return;
      const one = compareEnds(trial, real, embedded, explainedOutcomes);
      compared.push(one);
      if (!one.agrees)
        say(`${key}: ${real.outcome} on the real cluster, ${embedded.outcome} on an embedded one`);
      await file.add(one);
    };
    const images = [...(await baseImages(say)), ...(await productImages(say))];
    await using cluster = await startRealCluster({ version, images, nodes, enforcesPolicies: true, say });
    await installAddons(cluster, say);
    // Each waits for pods most of its time.
    await allEnded([runOnReal(cluster, trials, noteOn("real")), runOnEmbedded(trials, noteOn("embedded"))]);
    expect(compared.length).toBe(trials.length);
    expect(compared.filter(({ agrees, why }) => !agrees && why === undefined)).toEqual([]);
    const ran = new Map(compared.map((one) => [keyOf(one), !one.agrees]));
    const differs = new Map(all.map((trial) => [keyOf(trial), ran.get(keyOf(trial))]));
    expect(outdatedExplanations(explainedOutcomes, differs)).toEqual([]);
  },
  withinMs,
);
