import { readdirSync, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ProblemFormat, wrongValues } from "@microremed/catalogue";
import { importDefault } from "../import-entry.ts";
import { inTurn } from "../in-turn.ts";
import { inWords } from "../in-words.ts";
import { NotYaml, parseYaml } from "../parse-yaml.ts";
import { unreadable } from "../regular-file.ts";
import type { Wrong } from "../wrong.types.ts";
import type { ProblemFile } from "./resolve-problems.ts";

/** Most files of one suite, and files that are read at a time. */
const mostFiles = 2_000;
const readAtOnce = 16;
/** Most characters of one file. */
const longestFile = 100_000;

/** The problems in files of their own, `problems/<id>.yaml` or `.ts` beside a suite's file, in the order of their names. */
export async function readProblemFiles(
  suiteFile: string,
): Promise<{ problems: ProblemFile[]; wrong: Wrong[] }> {
  const folder = join(dirname(suiteFile), "problems");
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return { problems: [], wrong: [] };
  const names = readdirSync(folder).sort();
  if (names.length > mostFiles) {
    const expected = `at most ${mostFiles} files, not ${names.length}`;
    return { problems: [], wrong: [{ place: folder, field: "", expected }] };
  }
  const read = await inTurn(names, readAtOnce, (name) => readOne(join(folder, name), name));
  return {
    problems: read.flatMap((one) => ("format" in one ? [one] : [])),
    wrong: read.flatMap((one) => (Array.isArray(one) ? one : [])),
  };
}

async function readOne(file: string, fileName: string): Promise<ProblemFile | Wrong[]> {
  const wrong = (field: string, expected: string): Wrong[] => [{ place: file, field, expected }];
  const [, id, extension] = /^(.*)\.(yaml|ts|js|mjs)$/.exec(fileName) ?? [];
  if (id === undefined) return wrong("", "a file <id>.yaml, <id>.ts, <id>.js or <id>.mjs");
  const stray = unreadable(file);
  if (stray) return [stray];
  try {
    const value = extension === "yaml" ? await readYaml(file) : await importDefault(file);
    const parsed = ProblemFormat.safeParse(value);
    if (!parsed.success)
      return wrongValues(parsed.error, value, ProblemFormat).map((one) => ({ place: file, ...one }));
    if (parsed.data.id === id) return { format: parsed.data, file };
    return wrong("id", `"${id}", the name of its file, not "${parsed.data.id}"`);
  } catch (thrown) {
    if (thrown instanceof NotYaml) return wrong("", thrown.message);
    return wrong("", `a problem that can be read, not ${inWords(thrown)}`);
  }
}

async function readYaml(file: string): Promise<unknown> {
  const text = await readFile(file, "utf8");
  if (text.length > longestFile)
    throw new RangeError(`a file of ${text.length} characters, above ${longestFile}`);
  return parseYaml(text);
}
