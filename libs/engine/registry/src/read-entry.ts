import { readFileSync } from "node:fs";
import { types } from "node:util";
import { defineSuite, type Suite, SuiteFormat } from "@microremed/catalogue";
import { type WrongValue, wrongValues } from "@microremed/contracts";
import { z } from "zod";
import type { FoundEntry } from "./find-entries.ts";
import { importDefault } from "./import-entry.ts";
import { inWords } from "./in-words.ts";
import { NotYaml, parseYaml } from "./parse-yaml.ts";
import { type LenientlyRead, readLeniently } from "./problems/read-leniently.ts";
import { shapes } from "./shapes.ts";
import type { Wrong } from "./wrong.types.ts";

/** An entry that has its kind's shape and its folder's name, or what is wrong with it. */
export type ReadEntry =
  | { readonly entry: { readonly name: string } }
  | { readonly problems: readonly Wrong[]; readonly rest?: RestOfSuite };

/** What of a suite can be checked, although other parts of it are wrong. */
export interface RestOfSuite extends Pick<LenientlyRead<unknown>, "kept"> {
  readonly entry: Suite;
  /** The fields that are wrong. */
  readonly leftOut: readonly string[];
}

/** Folders are names of packages, paths and options. */
const kebabCase = /^[a-z0-9]+(-[a-z0-9]+)*(@[1-9][0-9]*)?$/;
/** Most characters of a suite's YAML. */
const longestFile = 1_000_000;

export async function readEntry(found: FoundEntry): Promise<ReadEntry> {
  try {
    return await checked(found);
  } catch (thrown) {
    const expected = `fields that can be read, not ${inWords(thrown)}`;
    return { problems: [{ place: found.file, field: "", expected }] };
  }
}

async function checked(found: FoundEntry): Promise<ReadEntry> {
  const { file, kind, folder } = found;
  const problem = (field: string, expected: string): Wrong => ({ place: file, field, expected });
  if (!kebabCase.test(folder))
    return { problems: [problem("", `a folder in kebab-case like "get-config-map", not "${folder}"`)] };
  let value: unknown;
  try {
    value = file.endsWith(".yaml") ? readSuite(file) : await importDefault(file);
  } catch (thrown) {
    if (thrown instanceof NotYaml) return { problems: [problem("", thrown.message)] };
    if (thrown instanceof WrongSuite)
      return {
        problems: thrown.wrong.map((wrong) => ({ place: file, ...wrong })),
        ...(thrown.rest && { rest: thrown.rest }),
      };
    if (thrown instanceof z.ZodError)
      return { problems: wrongValues(thrown).map((wrong) => ({ place: file, ...wrong })) };
    return { problems: [problem("", `code that can be loaded, not ${inWords(thrown)}`)] };
  }
  if (value === undefined) return { problems: [problem("default export", `the entry: export default ...`)] };
  const moving = changeable(value);
  if (moving !== undefined) return { problems: [problem(moving, "plain values: no Proxy and no getters")] };
  const parsed = shapes[kind].safeParse(value);
  if (!parsed.success)
    return { problems: wrongValues(parsed.error, value).map((wrong) => ({ place: file, ...wrong })) };
  const entry = value as { readonly name: string };
  if (plain(entry.name) !== plain(folder)) {
    return { problems: [problem("name", `"${folder}", the name of its folder, not "${entry.name}"`)] };
  }
  return { entry };
}

/** What could be another value, or throw, each time it is read: the field's name, empty for all of it. */
function changeable(value: unknown): string | undefined {
  if (types.isProxy(value)) return "";
  if (typeof value !== "object" || value === null) return undefined;
  const fields = Object.entries(Object.getOwnPropertyDescriptors(value));
  return fields.find(([, { get }]) => get !== undefined)?.[0];
}

/** A suite's YAML that does not fit its format. */
class WrongSuite extends Error {
  override readonly name = "WrongSuite";
  readonly wrong: readonly WrongValue[];
  readonly rest: RestOfSuite | undefined;
  constructor(wrong: readonly WrongValue[], rest: RestOfSuite | undefined) {
    super(wrong.map(({ field, expected }) => `${field}: expected ${expected}`).join("; "));
    this.wrong = wrong;
    this.rest = rest;
  }
}

/** Throws a `WrongSuite`, `NotYaml` or a RangeError. */
export function readSuite(file: string): Suite {
  const text = readFileSync(file, "utf8");
  if (text.length > longestFile)
    throw new RangeError(`a file of ${text.length} characters, above ${longestFile}`);
  const value = parseYaml(text);
  const read = readLeniently(SuiteFormat, value, {
    lists: ["problems", "rules", "pools"],
    instead: { name: "unnamed@1", description: "none" },
  });
  const suite = read.value && defineSuite(read.value);
  if (suite && read.wrong.length === 0) return suite;
  const leftOut = read.wrong.map(({ field }) => field);
  throw new WrongSuite(read.wrong, suite && { entry: suite, kept: read.kept, leftOut });
}

/** Tools write `_` and agents capitals where their folders have dashes or nothing. */
export const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9@]/g, "");
