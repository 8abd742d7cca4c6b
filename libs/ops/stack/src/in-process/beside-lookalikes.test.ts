import { mkdir, mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { targetName, targetText } from "@microremed/catalogue";
import { loadCatalogue } from "@microremed/registry";
import { afterAll, expect, test } from "vitest";
import { startInProcessRange } from "./start-in-process-range.ts";

const name = "simple-micro";
const { faults, noises, environments } = await loadCatalogue({ dirs: [] });
const environment = environments.get(name);

/** Each fault of a drawn suite beside each noise that looks like it, on its first workload where that may be. */
const problems = faults.all().flatMap((fault) => {
  const targets = fault.targets(environment).map(targetText);
  return (fault.lookalikes ?? []).flatMap((noise) => {
    const { targets: targetsOf, changes = [] } = noises.get(noise);
    if (changes.some((field) => fault.hiddenBy?.includes(field))) return [];
    const places = targetsOf?.(environment) ?? [];
    const target = targets.find((one) => places.includes(targetName({ environment, target: one })));
    if (target === undefined) return [];
    const on = targetName({ environment, target });
    return [
      {
        id: `${fault.name}-${noise}`,
        environment: name,
        incident: [{ fault: fault.name, target }],
        noise: [{ noise, target: on, ago: 60 }],
      },
    ];
  });
});

await using dir = await mkdtempDisposable(join(tmpdir(), "microremed-lookalikes-"));
const suite = join(dir.path, "suites/beside@1");
await mkdir(suite, { recursive: true });
const defaults = { tasks: ["detection"], limits: { injectionSeconds: 120 } };
await writeFile(
  join(suite, "suite.yaml"),
  JSON.stringify({ name: "beside@1", description: "faults and what looks like them", defaults, problems }),
);
const catalogue = await loadCatalogue({ dirs: [dir.path] });
const range = await startInProcessRange({ catalogue, environments: [name], clusters: 4 });
afterAll(() => range[Symbol.asyncDispose]());

test("each fault is proven where what looks like it came before, on the same workload", async () => {
  expect(problems.length).toBeGreaterThan(10);
  const id = "beside";
  const request = { id, problems: "beside@1", model: "none", method: "AlwaysYes" };
  expect(await range.client.submit(request)).toMatchObject({ status: "accepted" });
  for await (const event of range.client.events(id, AbortSignal.timeout(1_200_000)))
    if (event.type === "experiment-finished") break;
  const { episodes } = await range.client.experiment(id);
  expect(episodes).toHaveLength(problems.length);
  const others = episodes.filter(({ outcome }) => outcome !== "solved");
  expect(others.map(({ problem, outcome, reason }) => `${problem?.id}: ${outcome}, ${reason}`)).toEqual([]);
});
