import { existsSync, realpathSync } from "node:fs";
import { mkdir, mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { builtInCatalogue } from "@microremed/registry";
import { readCorpus } from "@microremed/remedies";
import { expect, test } from "vitest";
import { findProof } from "./prove/find-proof.ts";
import { whyNothingIsProven } from "./prove/why-nothing-is-proven.ts";

const entries = await builtInCatalogue();
const { faults, environments } = entries;
const corpus = readCorpus([], { faults: faults.names, environments: environments.names });
const catalogue = { ...entries, remedies: { names: corpus.map(({ name }) => name) } };
const proofOf = (kind: string, name: string) => findProof(kind, name, catalogue, ".");

test("an entry's proof is its own tests and its kind's contract, and no other entry's", () => {
  const [own, contract] = proofOf("oracle", "loss");
  expect(own).toEqual({ files: ["libs/catalogue/oracles/loss/"], mustRun: "libs/catalogue/oracles/loss/" });
  expect(contract).toMatchObject({ mustRun: "libs/ops/audit/src/oracle-contract.test.ts" });
  const pattern = new RegExp(contract?.tests ?? "");
  expect(pattern.test("loss: passes on a healthy system")).toBe(true);
  expect(pattern.test("network-loss: passes on a healthy system")).toBe(false);
  expect(proofOf("tool", "get-logs")).toEqual(proofOf("tool", "get_logs"));
});

test("a new oracle or task of this repository must have tests of its own", async () => {
  await using dir = await mkdtempDisposable(join(tmpdir(), "prove-"));
  const added = { ...catalogue, oracles: { names: ["mine"] }, tasks: { names: ["mine"] } };
  const proof = (kind: string) => findProof(kind, "mine", added, dir.path);
  for (const kind of ["oracle", "task"]) {
    const folder = `libs/catalogue/${kind}s/mine`;
    await mkdir(join(dir.path, folder), { recursive: true });
    const missing = join(dir.path, folder, "mine.test.ts");
    expect(() => proof(kind)).toThrow(`${kind} mine has no test of its own: write ${missing}`);
    await writeFile(missing, "");
    expect(proof(kind)[0]).toMatchObject({ mustRun: `${folder}/` });
  }
});

test("tests in a user's own folder are run there; only a task, which nothing else proves, must have some", async () => {
  await using dir = await mkdtempDisposable(join(tmpdir(), "prove-"));
  const path = realpathSync(dir.path);
  const added = { ...catalogue, oracles: { names: ["mine"] }, tasks: { names: ["mine"] } };
  const proof = (kind: string) => findProof(kind, "mine", added, ".", [dir.path]);
  const contract = { mustRun: "libs/ops/audit/src/oracle-contract.test.ts" };
  const own = (kind: string) => ({ mustRun: `${path}/${kind}s/mine/`, outside: `${path}/${kind}s/mine` });
  for (const kind of ["oracle", "task"]) await mkdir(join(dir.path, `${kind}s/mine`), { recursive: true });
  expect(proof("oracle")).toMatchObject([contract]);
  expect(() => proof("task")).toThrow(/^task mine has no test of its own: write /);
  for (const kind of ["oracle", "task"]) await writeFile(join(dir.path, `${kind}s/mine/mine.test.ts`), "");
  expect(proof("oracle")).toMatchObject([own("oracle"), contract]);
  expect(proof("task")).toMatchObject([own("task")]);
});

test("tests of an oracle that are elsewhere are part of its proof", () => {
  for (const name of ["cpu", "memory", "declared"])
    expect(existsSync(proofOf("oracle", name)[0]?.mustRun ?? ""), name).toBe(true);
});

test("every entry of every kind has a proof", () => {
  const { noises, oracles, suites, tools, agents, tasks, remedies } = catalogue;
  const all = {
    fault: faults,
    noise: noises,
    oracle: oracles,
    environment: environments,
    suite: suites,
    tool: tools,
  };
  for (const [kind, { names }] of Object.entries({ ...all, agent: agents, task: tasks, remedy: remedies }))
    for (const name of names) expect(proofOf(kind, name), `${kind} ${name}`).not.toEqual([]);
});

test("a name or kind that there is not is refused with the known ones", () => {
  expect(() => proofOf("fault", "no-such-name")).toThrow(/no fault "no-such-name"; known: .*cpu-stress, /);
  expect(() => proofOf("foult", "cpu-stress")).toThrow(/no kind "foult", known: fault, noise, oracle, /);
  expect(() => proofOf("toString", "cpu-stress")).toThrow(/no kind/);
});

test("tests that were all skipped prove nothing", () => {
  const report = (...statuses: string[]) => ({
    testResults: [
      { name: "/r/libs/a.test.ts", assertionResults: statuses.map((status) => ({ status })) },
      { name: "/r/libs/b.test.ts", assertionResults: [{ status: "passed" }] },
    ],
  });
  expect(whyNothingIsProven(report("skipped", "passed"), "libs/a.test.ts")).toBeUndefined();
  expect(whyNothingIsProven(report("skipped"), "libs/a.test.ts")).toBe("no test of it ran in libs/a.test.ts");
});
