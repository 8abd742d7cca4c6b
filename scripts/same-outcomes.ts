// npm run same-outcomes -- <other checkout>: whether two versions end the same cases of the levels with the same outcomes.
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { builtInCatalogue } from "@microremed/registry";
import { exitCodes } from "../libs/surface/cli/src/exit-codes.ts";
import { type Differing, differences, type EndedCase } from "./same-outcomes/differences.ts";

const usage = `npm run same-outcomes -- [--level NAME] [--env NAME] [--experiments N] [--model NAME] [--saved FOLDER] <other checkout>

Runs the levels on the environments in process, with this checkout and with the other one, where its packages are installed, and
compares each case's outcome, reason, damage and steps. --saved keeps the episodes there; what is there already is not run again.
The exit code is 1 where cases differ or a version does not run them to the end.`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    level: { type: "string", multiple: true, default: ["easy@1", "medium@1", "hard@1"] },
    env: { type: "string", multiple: true },
    experiments: { type: "string" },
    model: { type: "string", default: "reference/expert" },
    saved: { type: "string" },
    help: { type: "boolean", default: false },
  },
});
const [other] = positionals;
if (values.help || other === undefined) {
  console.error(usage);
  process.exit(values.help ? 0 : 2);
}
const saved = values.saved ?? mkdtempSync(join(tmpdir(), "microremed-outcomes-"));
const versions = { own: join(import.meta.dirname, ".."), other } as const;
const environments = values.env ?? (await builtInCatalogue()).environments.names;

let count = 0;
let differing = 0;
for (const environment of environments) {
  for (const level of values.level) {
    const [before, now] = [await ended("other", environment, level), await ended("own", environment, level)];
    const found: Differing[] =
      before.refused === now.refused
        ? differences(before.cases, now.cases)
        : [
            {
              caseId: level,
              what: "refusal",
              before: before.refused ?? "runs",
              now: now.refused ?? "runs",
            },
          ];
    count += before.cases.length;
    differing += found.length;
    const what = now.refused === undefined ? `${now.cases.length} cases` : `refused (${now.refused})`;
    console.log(`${level} on ${environment}: ${what}, ${found.length} differ`);
    for (const { caseId, what, before, now } of found)
      console.log(`  ${caseId}: ${what}\n    other: ${before}\n    own:   ${now}`);
  }
}
console.log(`${count} cases, ${differing} differ`);
if (values.saved === undefined) rmSync(saved, { recursive: true });
process.exitCode = differing > 0 ? 1 : 0;

interface Ended {
  readonly cases: readonly EndedCase[];
  /** Why the level cannot be run on the environment. */
  readonly refused?: string;
}

/** How a level ends with one version. Throws where it does not run to the end. */
async function ended(version: keyof typeof versions, environment: string, level: string): Promise<Ended> {
  const folder = join(saved, version, environment, level);
  const record = join(folder, "ended.json");
  if (!existsSync(record)) {
    rmSync(folder, { recursive: true, force: true });
    const end = await runLevel(versions[version], environment, level, folder);
    mkdirSync(folder, { recursive: true });
    writeFileSync(record, JSON.stringify(end));
  }
  const cases = readdirSync(folder)
    .filter((name) => /^\d+_.*\.json$/.test(name))
    .sort()
    .map((name): EndedCase => JSON.parse(readFileSync(join(folder, name), "utf8")));
  return { ...JSON.parse(readFileSync(record, "utf8")), cases };
}

async function runLevel(
  checkout: string,
  environment: string,
  level: string,
  folder: string,
): Promise<Pick<Ended, "refused">> {
  const program = join(checkout, "libs/surface/cli/bin/microremed.mjs");
  // One arena: what ran in an arena before a case must not depend on the load of the machine.
  const range = ["--range", "in-process", "--arenas", "1", "--save-path", folder];
  const experiment = ["--env", environment, "--experiment-path", level, "--model", values.model];
  const size = values.experiments === undefined ? [] : ["--experiments", values.experiments];
  const child = spawn(process.execPath, [program, "run", ...range, ...experiment, ...size], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (chunk) => (said = `${said}${chunk}`.slice(-2_000)));
  const [code] = await once(child, "close");
  if (code === 0) return {};
  if (code === exitCodes.usage.code) return { refused: said.trim().split("\n").at(-1) ?? "" };
  throw new Error(`${level} on ${environment} with ${checkout}: exit code ${code}\n${said}`);
}
