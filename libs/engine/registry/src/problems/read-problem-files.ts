import { readdirSync, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ProblemFormat } from "@microremed/catalogue";
import { importDefault } from "../import-entry.ts";
import { inTurn } from "../in-turn.ts";
import { inWords } from "../in-words.ts";
import { NotYaml, parseYaml } from "../parse-yaml.ts";
import { unreadable } from "../regular-file.ts";
import type { Wrong } from "../wrong.types.ts";
import { readLeniently } from "./read-leniently.ts";
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
    problems: read.flatMap(({ problem }) => problem ?? []),
    wrong: read.flatMap(({ wrong }) => wrong),
  };
}

/** A problem without what is wrong in it, and that; undefined: nothing of it can be read. */
async function readOne(
  file: string,
  fileName: string,
): Promise<{ readonly problem?: ProblemFile; readonly wrong: Wrong[] }> {
  const wrong = (field: string, expected: string) => ({ wrong: [{ place: file, field, expected }] });
  const [, id, extension] = /^(.*)\.(yaml|ts|js|mjs)$/.exec(fileName) ?? [];
  if (id === undefined) return wrong("", "a file <id>.yaml, <id>.ts, <id>.js or <id>.mjs");
  const stray = unreadable(file);
  if (stray) return { wrong: [stray] };
  try {
    const value = extension === "yaml" ? await readYaml(file) : await importDefault(file);
    const read = readLeniently(ProblemFormat, value, { instead: { id } });
    const strange =
      read.value && read.value.id !== id ? wrong("id", sameAsFile(id, read.value.id)).wrong : [];
    return {
      ...(read.value && {
        problem: { format: read.value, file, leftOut: read.wrong.map(({ field }) => field) },
      }),
      wrong: [...read.wrong.map((one) => ({ place: file, ...one })), ...strange],
    };
  } catch (thrown) {
    if (thrown instanceof NotYaml) return wrong("", thrown.message);
    return wrong("", `a problem that can be read, not ${inWords(thrown)}`);
  }
}

const sameAsFile = (id: string, is: string): string => `"${id}", the name of its file, not "${is}"`;

async function readYaml(file: string): Promise<unknown> {
  const text = await readFile(file, "utf8");
  if (text.length > longestFile)
    throw new RangeError(`a file of ${text.length} characters, above ${longestFile}`);
  return parseYaml(text);
}
