import { mkdir, mkdtempDisposable, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectCluster } from "@microremed/cluster/kubeconfig";
import { silentLogger } from "@microremed/core";
import { environments, renderManifests } from "@microremed/environments";
import { startSimCluster } from "@microremed/simcluster";
import { expect, test } from "vitest";
import { runLine } from "../testing/run-line.ts";

const ours = join(import.meta.dirname, "../../../../catalogue/environments/simple-micro/manifests");

test("an import writes a folder that a check deploys, and says what is a guess", {
  timeout: 120_000,
}, async () => {
  await using dir = await mkdtempDisposable(join(tmpdir(), "microremed-import-"));
  const run = (...args: string[]) => runLine(dir.path, "environments", ...args);
  const made = await run("import", ours, "--name", "micro");
  expect(made).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/hello-service -> time- +call +http time-service:5001 +likely: /),
    stderr: expect.stringContaining("microremed environments check my-catalogue/environments/micro"),
  });
  expect(made.stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
  // Every value is in the table: by itself, or in the number of the others.
  const lines = made.stdout.split("\n").filter((line) => line.includes("  guess:"));
  const guesses = lines.map((line) => Number(/others +(\d+) value/.exec(line)?.[1] ?? 1));
  expect(made.stderr).toContain(`${guesses.reduce((sum, count) => sum + count, 0)} guesses`);
  const folder = join(dir.path, "my-catalogue/environments/micro");
  expect(await readFile(join(folder, "manifests/services.yaml"), "utf8")).toBe(
    await readFile(join(ours, "services.yaml"), "utf8"),
  );
  expect(await readFile(join(folder, "model.yaml"), "utf8")).toMatch(
    /runtime: python # (sure|likely): image/,
  );

  expect(await run("import", ours, "--name", "micro")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("--force"),
  });
  expect((await run("import", ours, "--name", "micro", "--force", "-o", "json")).code).toBe(0);
  expect(await run("import", ours, "--name", "My_Micro")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("such as my-micro"),
  });
  expect(await run("import")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("expected a folder"),
  });

  // A suite that is wrong is no part of it.
  await mkdir(join(dir.path, "my-catalogue/suites/wrong@1"), { recursive: true });
  await writeFile(join(dir.path, "my-catalogue/suites/wrong@1/suite.yaml"), "name: other\n");
  const checked = await run("check", "micro", "--catalogue", "my-catalogue", "--seconds", "120");
  await rm(join(dir.path, "my-catalogue/suites"), { recursive: true });
  expect(checked).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/hello-service +Deployment +1\/1/),
    stderr: expect.stringContaining("100.0 % of"),
  });
  const listed = await run("--catalogue", "my-catalogue", "--output", "json");
  expect(JSON.parse(listed.stdout)).toContainEqual(expect.objectContaining({ name: "micro", workloads: 2 }));
});

test("what cannot be tried yet is written all the same, and exits with 1; without a workload nothing is", async () => {
  await using dir = await mkdtempDisposable(join(tmpdir(), "microremed-import-"));
  const run = (file: string) => runLine(dir.path, "environments", "import", file);
  await writeFile(join(dir.path, "maps.yaml"), "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\n");
  expect(await run("maps.yaml")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("there is no Deployment"),
  });
  expect(await readdir(dir.path)).toEqual(["maps.yaml"]);
  const pods = "{ metadata: { labels: { app: a } }, spec: { containers: [{ name: a, image: 'a:1' }] } }";
  const spec = `{ selector: { matchLabels: { app: a } }, template: ${pods} }`;
  const jobs = `apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: a }\nspec: ${spec}\n`;
  await writeFile(join(dir.path, "jobs.yaml"), jobs);
  expect(await run("jobs.yaml")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("cannot be tried yet: workload.yaml, entry"),
  });
});

test("a namespace of a running cluster is imported through its API server", {
  timeout: 120_000,
}, async () => {
  const system = environments.get("simple-micro");
  await using sim = await startSimCluster({ name: "sim", seed: 1, timeScale: 60, environments: [system] });
  await using dir = await mkdtempDisposable(join(tmpdir(), "microremed-import-"));
  const kubeconfig = join(dir.path, "kubeconfig");
  await writeFile(kubeconfig, sim.kubeconfig);
  const entry = { name: "sim", kubeconfig, arenas: 1, clock: sim.clockUrl };
  await using cluster = await connectCluster(entry, { log: silentLogger });
  await cluster.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: "live" } });
  for (const manifest of renderManifests(system, { namespace: "live" })) await cluster.apply(manifest);
  await cluster.clock.sleep(120_000);
  const args = ["--from-cluster", "--namespace", "live", "--kubeconfig", kubeconfig, "-o", "json"];
  const made = await runLine(dir.path, "environments", "import", ...args);
  expect(made.code).toBe(0);
  const { findings, files } = JSON.parse(made.stdout);
  expect(files).toContain("manifests/deployment.yaml");
  expect(findings).toContainEqual(
    expect.objectContaining({ what: "memoryMi", why: "memory of the running container" }),
  );
  expect(findings).toContainEqual(
    expect.objectContaining({ place: "hello-service -> time-service", what: "call" }),
  );
});
