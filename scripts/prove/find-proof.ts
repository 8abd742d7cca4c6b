import { existsSync, globSync } from "node:fs";
import { join } from "node:path";
import type { Catalogue } from "@microremed/registry";

/** One call of vitest. */
export interface Run {
  readonly files: readonly string[];
  /** Pattern of the names of the tests to run; absent: all of the files. */
  readonly tests?: string;
  /** File in which at least one test must have passed. */
  readonly mustRun: string;
}

/** Everything that can be proven: the entries, and the audit's remedies. */
export type Provable = Readonly<
  Record<Exclude<keyof Catalogue, "replaced"> | "remedies", { readonly names: readonly string[] }>
>;

interface Kind {
  readonly folder: keyof Provable;
  /** Files with tests of every entry of the kind, each named `<entry>: ...`; the first must have one. */
  readonly contract: readonly string[];
  /** The entry's own tests in its folder must be there. */
  readonly needsOwnTests?: true;
}

const kinds: Readonly<Record<string, Kind>> = {
  fault: { folder: "faults", contract: ["libs/ops/audit/src/fault-contract.test.ts"] },
  oracle: { folder: "oracles", contract: ["libs/ops/audit/src/oracle-contract.test.ts"] },
  environment: {
    folder: "environments",
    contract: [
      "libs/ops/audit/src/environment-contract.test.ts",
      "libs/ops/audit/src/plan-audit.test.ts",
      "libs/ops/audit/src/environment-manifests.test.ts",
    ],
  },
  suite: { folder: "suites", contract: ["libs/ops/audit/src/suite-contract.test.ts"] },
  tool: {
    folder: "tools",
    contract: ["libs/engine/solving/src/tools.test.ts", "libs/ops/stack/src/in-process/tools.test.ts"],
  },
  agent: { folder: "agents", contract: ["libs/engine/solving/src/agents.test.ts"] },
  remedy: { folder: "remedies", contract: ["libs/ops/audit/src/remedy-contract.test.ts"] },
  task: { folder: "tasks", contract: [], needsOwnTests: true },
};

/** The tests of an entry: those in its folder, and its kind's contract. Throws for names that mean nothing. */
export function findProof(kind: string, name: string, catalogue: Provable, root: string): Run[] {
  const known = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
  if (!known)
    throw new Error(
      `usage: npm run prove -- <kind> <name>; there is no kind ${JSON.stringify(kind)}, known: ${Object.keys(kinds).join(", ")}`,
    );
  const { names } = catalogue[known.folder];
  const entry = names.find((one) => one === name) ?? names.find((one) => plain(one) === plain(name));
  if (entry === undefined)
    throw new Error(`there is no ${kind} ${JSON.stringify(name)}; known: ${names.join(", ")}`);
  const [first, ...others] = known.contract;
  const own = ownTests(known.folder, entry, root);
  if (known.needsOwnTests && own === undefined)
    throw new Error(`${kind} ${entry} has no test: libs/catalogue/${known.folder}/${entry}/*.test.ts`);
  return [
    ...(own === undefined ? [] : [{ files: [own], mustRun: own }]),
    ...(first === undefined
      ? []
      : [{ files: [first, ...others], tests: `^${entry.replace(/[^\w@-]/g, "\\$&")}: `, mustRun: first }]),
  ];
}

/** The entry's folder in the repository, if tests are in it. */
function ownTests(folder: string, entry: string, root: string): string | undefined {
  const kind = join("libs/catalogue", folder);
  const path = globSync("*/", { cwd: join(root, kind) }).find((one) => plain(one) === plain(entry));
  if (path === undefined || !existsSync(join(root, kind, path))) return undefined;
  return globSync("**/*.test.ts", { cwd: join(root, kind, path) }).length > 0
    ? `${join(kind, path)}/`
    : undefined;
}

/** Tools write `_` and agents capitals where their folders have dashes or nothing. */
const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9@]/g, "");
