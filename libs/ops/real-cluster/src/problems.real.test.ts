import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { installAddons } from "./addons.ts";
import { baseImages } from "./images.ts";
import { whyImpossible } from "./impossible.ts";
import { kubernetesVersions } from "./pins.ts";
import { productImages } from "./product-images.ts";
import { startRealCluster } from "./real-cluster.ts";
import { installNodeExporter } from "./testing/node-exporter.ts";
import {
  type ComparedProblem,
  compareProblem,
  type EndedProblem,
  problemKey,
  problemsSuite,
  runProblems,
  suiteName,
} from "./testing/problems.ts";
import { openResults } from "./testing/results-file.ts";
import { onEmbedded, onReal } from "./testing/run-on-clusters.ts";

const impossible = await whyImpossible();
const withinMs = 2 * 3_600_000;
const [version] = kubernetesVersions;
const nodes = 3;
const results = fileURLToPath(new URL(`../results/problems-${version}.json`, import.meta.url));
const say = (line: string): void => void process.stderr.write(`${line}\n`);
/** Parts of the names of the problems that are run. */
const only = process.env["PROBLEMS"]?.split(",") ?? [""];

if (impossible) say(`The test of problems on a real Kubernetes is skipped: ${impossible}`);

const models = ["reference/expert", "reference/noop"];

const named = ({ problem, task, method, outcome, reason }: EndedProblem): string =>
  `${problem} ${task} ${method}: ${outcome}: ${reason}`;

/** Writes the results; those of earlier runs stay for problems that were not run now. */
async function keep(compared: readonly ComparedProblem[]): Promise<void> {
  const all = (await problemsSuite([""])).flatMap(({ id, tasks }) =>
    tasks.flatMap((task) =>
      models.map((model) => problemKey({ problem: `${suiteName}/${id}`, task, model, method: "" })),
    ),
  );
  const known = new Set(all);
  const file = await openResults<ComparedProblem>({
    ...{ path: results, heading: { version }, keyOf: problemKey, known },
  });
  for (const one of compared) await file.add(one);
}

test.skipIf(impossible)(
  "problems of every task are seen by the tools of an agent on a real cluster, and graded there as they are",
  async () => {
    const suite = await problemsSuite(only);
    const images = [...(await baseImages(say)), ...(await productImages(say))];
    await using cluster = await startRealCluster({ version, images, nodes, enforcesPolicies: true, say });
    await installAddons(cluster, say);
    await installNodeExporter(cluster);
    const sayOn = (place: string) => async (one: EndedProblem) => say(`${place}: ${named(one)}`);
    // Each waits for pods most of its time.
    const [ended, onEmbeddedOnes] = await Promise.all([
      runProblems((dirs, use) => onReal(cluster, dirs, use), suite, sayOn("real")),
      runProblems(onEmbedded, suite, sayOn("embedded")),
    ]);
    const embedded = new Map(onEmbeddedOnes.map((one) => [problemKey(one), one]));
    const compared = ended.flatMap((one) => {
      const other = embedded.get(problemKey(one));
      return other ? [compareProblem(one, other)] : [];
    });
    await keep(compared);
    expect(compared.length).toBe(ended.length);
    const of = (model: string, tasks: readonly string[]) =>
      ended.filter((one) => one.model === model && tasks.includes(one.task));
    const experts = ended.filter(({ model }) => model === "reference/expert");
    expect(ended.length).toBeGreaterThan(0);
    expect(ended.filter(({ outcome }) => outcome === "harness-error").map(named)).toEqual([]);
    // Every tool that the expert calls may do there what it is for.
    expect(experts.flatMap(({ forbidden }) => forbidden)).toEqual([]);
    const isSolved = ({ outcome }: EndedProblem): boolean => ["solved", "remediated"].includes(outcome);
    expect(experts.filter((one) => !isSolved(one)).map(named)).toEqual([]);
    expect(of("reference/noop", ["mitigation"]).filter(isSolved)).toEqual([]);
    expect(compared.filter(({ agrees }) => !agrees)).toEqual([]);
    say(`${suiteName}: seen were ${experts.map(({ problem, task }) => `${problem} (${task})`).join(", ")}`);
  },
  withinMs,
);
