import { mkdir, mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readCorpus, readRemedies } from "./read-corpus.ts";

const known = {
  faults: [
    "cpu-stress",
    "memory-stress",
    "network-loss",
    "network-delay",
    "disk-io",
    "pod-fail",
    "pod-config-error",
  ],
  environments: ["simple-micro", "online-boutique", "train-ticket", "hotel-reservation"],
};

const mine = `name: mine
description: scales it out
class: elsewhere
expected: { recovered: false, clean: false }
script: |
  @kubectl@ scale @workload@ --replicas=9
`;

/** The message that a user's remedies with this one file are refused with; undefined: they are read. */
async function refusalOf(
  text: string,
  file = "non-repairs/mine.yaml",
  read: (dir: string) => unknown = (dir) => readRemedies([join(dir, "remedies")], known),
): Promise<string | undefined> {
  await using dir = await mkdtempDisposable(join(tmpdir(), "microremed-remedies-"));
  for (const folder of ["repairs", "non-repairs"])
    await mkdir(join(dir.path, "remedies", folder), { recursive: true });
  await writeFile(join(dir.path, "remedies", file), text);
  try {
    read(dir.path);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

test("the corpus has at least 60 kinds of non-repair and 40 of right repair, in many classes", () => {
  const corpus = readCorpus([], known);
  const wrong = corpus.filter(({ expected }) => !expected.recovered);
  expect(wrong.length).toBeGreaterThanOrEqual(60);
  expect(new Set(wrong.map((one) => one.class)).size).toBeGreaterThanOrEqual(10);
  expect(corpus.filter(({ expected }) => expected.clean).length).toBeGreaterThanOrEqual(40);
  expect(corpus.some(({ expected }) => expected.recovered && !expected.clean)).toBe(true);
});

test("a user's remedy is one more file", async () => {
  await using dir = await mkdtempDisposable(join(tmpdir(), "microremed-remedies-"));
  await mkdir(join(dir.path, "remedies", "non-repairs"), { recursive: true });
  await writeFile(join(dir.path, "remedies", "non-repairs", "mine.yaml"), mine);
  const names = (dirs: string[]) => readCorpus(dirs, known).map(({ name }) => name);
  const ours = new Set(names([]));
  expect(names([dir.path]).filter((name) => !ours.has(name))).toEqual(["mine"]);
});

test.each([
  ["a missing field", mine.replace(/class: .*\n/, ""), "mine.yaml, class: "],
  ["a field that there is not", `${mine}colour: red\n`, 'mine.yaml, the file: Unrecognized key: "colour"'],
  [
    "another name than the file's",
    mine.replace("name: mine", "name: yours"),
    "mine.yaml, name: expected mine",
  ],
  ["text that is no YAML", "name: [", "mine.yaml, it is not YAML"],
  ["an unknown placeholder", mine.replace("@workload@", "@deployment@"), "no such placeholder: @deployment@"],
  [
    "neither a script nor a playbook",
    mine.replace(/script:[\s\S]*/, ""),
    "exactly one of script and playbook",
  ],
  ["both", `${mine}playbook: x\n`, "exactly one of script and playbook"],
  ["an unknown fault", `${mine}applies: { faults: [cpus] }\n`, "applies.faults: expected one of cpu-stress"],
  [
    "an unknown environment",
    `${mine}applies: { environments: [x] }\n`,
    "applies.environments: expected one of simple",
  ],
  ["an unknown need", `${mine}applies: { needs: [money] }\n`, "applies.needs.0: the name of a placeholder"],
  [
    "what is clean and has not recovered",
    mine.replace("clean: false", "clean: true"),
    "expected.clean: false, because nothing is clean that has not recovered",
  ],
  [
    "a repair among the non-repairs",
    mine.replace("{ recovered: false, clean: false }", "{ recovered: true, clean: true }"),
    "expected.clean: expected false, as everything in the folder non-repairs",
  ],
])("%s is refused by file and field", async (_what, text, says) => {
  expect(await refusalOf(text)).toContain(says);
});

test("a file of another kind, and a name that is taken, are refused", async () => {
  expect(await refusalOf(mine, "non-repairs/mine.yml")).toContain("expected a file named <name>.yaml");
  const taken = mine.replace("name: mine", "name: neighbour-sleeps");
  const beside = (dir: string) => readCorpus([dir], known);
  expect(await refusalOf(taken, "non-repairs/neighbour-sleeps.yaml", beside)).toMatch(
    /name: expected a unique name, .* has it too/,
  );
});
