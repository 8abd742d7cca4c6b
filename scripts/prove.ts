// npm run prove -- <kind> <name> [options of vitest]: the contract of one catalogue entry, ours or one of CATALOGUE_DIRS.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempDisposable, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { loadCatalogue } from "@microremed/registry";
import { readCorpus } from "@microremed/remedies";
import { findProof, type Run } from "./prove/find-proof.ts";
import { whyNothingIsProven } from "./prove/why-nothing-is-proven.ts";

const [kind = "", name = "", ...options] = process.argv.slice(2);
const { CATALOGUE_DIRS = "" } = process.env;
const dirs = CATALOGUE_DIRS.split(delimiter).filter((dir) => dir !== "");
const root = join(import.meta.dirname, "..");

try {
  const catalogue = await loadCatalogue({ dirs, checkOurs: true });
  const { faults, environments } = catalogue;
  const corpus = readCorpus(dirs, { faults: faults.names, environments: environments.names });
  const remedies = { names: corpus.map((remedy) => remedy.name) };
  const proof = findProof(kind, name, { ...catalogue, remedies }, root, dirs);
  for (const run of proof) await carryOut(run);
  process.stderr.write(`\n${kind} ${name} is proven\n`);
} catch (thrown) {
  process.stderr.write(`${thrown instanceof Error ? thrown.message : String(thrown)}\n`);
  process.exitCode = 1;
}

/** Throws where a test fails, and where a file that must have a test of the entry ran none. */
async function carryOut({ files, tests, mustRun, outside }: Run): Promise<void> {
  await using dir = await mkdtempDisposable(join(tmpdir(), "microremed-proof-"));
  const report = join(dir.path, "report.json");
  const args = [
    join(root, "node_modules/vitest/vitest.mjs"),
    ...["run", "--root", root, "--project", "unit", "--project", "integration", ...files],
    ...(tests === undefined ? [] : ["--testNamePattern", tests]),
    ...(outside === undefined ? [] : ["--config", join(root, "scripts/prove/outside.vitest.config.ts")]),
    // What is not of this entry is not named: a failure is not to be sought among a hundred skipped tests.
    ...[
      "--hideSkippedTests",
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${report}`,
      ...options,
    ],
  ];
  const env = { ...process.env, WHOLE_PROOF: "true", ...(outside !== undefined && { ENTRY_DIR: outside }) };
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: "inherit" });
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`${kind} ${name} is not proven: see the failed tests above`);
  const why = whyNothingIsProven(JSON.parse(await readFile(report, "utf8")), mustRun);
  if (why !== undefined) throw new Error(`${kind} ${name} is not proven: ${why}`);
}
