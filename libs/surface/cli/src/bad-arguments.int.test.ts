import type { Command } from "commander";
import fc from "fast-check";
import { expect, test } from "vitest";
import { exitCodes } from "./exit-codes.ts";
import { program } from "./main.ts";
import { codeOf, heardContext } from "./testing/run-line.ts";
import { verbs } from "./verbs.ts";

/** These ask a range, and none is there; all others could start or write something, so that nothing valid is tried. */
const asking = new Set([
  "submit",
  "watch",
  "report",
  "answer",
  "cancel",
  "events",
  "deadletters",
  "clusters",
]);
const runsOfEach = 12;
const nasty = [
  "",
  "-",
  "--",
  "-1",
  "0",
  "1e999",
  "NaN",
  "../../etc/passwd",
  "[]",
  "{",
  "\u0000",
  "\u{1f4a5}",
  "x".repeat(9_999),
];
const text = fc.oneof(fc.constantFrom(...nasty), fc.string(), fc.string({ unit: "binary", maxLength: 40 }));

/** A context without a range, and what is said in it. */
function aContext() {
  const { context, stdout, stderr } = heardContext({
    PATH: process.env["PATH"],
    NATS_URL: "nats://127.0.0.1:1",
  });
  return { context, said: () => stdout() + stderr() };
}

interface Verb {
  readonly words: readonly string[];
  readonly options: readonly string[];
}

function verbsOf(command: Command, before: readonly string[] = []): Verb[] {
  return command.commands.flatMap((verb) => {
    const words = [...before, verb.name()];
    const options = verb.options.flatMap(({ long }) => (long ? [long] : []));
    // A verb with verbs of its own may do something by itself, too.
    const own = verb.commands.length === 0 || options.length > 0 ? [{ words, options }] : [];
    return [...own, ...verbsOf(verb, words)];
  });
}

test("every verb refuses bad arguments with words and an exit code, and trips over none", async () => {
  const everyName = verbs.map(({ name }) => name);
  const tried = verbsOf(await program(aContext().context, everyName));
  expect(tried.length).toBeGreaterThan(20);
  const linesOf = ({ words, options }: Verb) =>
    fc
      .tuple(
        fc.array(text, { maxLength: 3 }),
        fc.array(fc.tuple(fc.constantFrom("--no-such-option", ...options), fc.option(text)), {
          maxLength: 4,
        }),
      )
      .map(([operands, given]) => [
        ...words,
        ...(asking.has(words[0] ?? "") ? [] : ["--no-such-option"]),
        ...operands,
        ...given.flatMap(([name, value]) => (value === null ? [name] : [name, value])),
      ]);
  const codes = new Set<number>(Object.values(exitCodes).map(({ code }) => code));
  for (const verb of tried) {
    await fc.assert(
      fc.asyncProperty(linesOf(verb), async (argv) => {
        const { context, said } = aContext();
        const code = await codeOf(context, argv);
        expect(codes).toContain(code);
        // Only `--help` is right among what is tried.
        if (code === exitCodes.ok.code) expect(argv.some((word) => /^(-h|--help)/.test(word))).toBe(true);
        else expect(said().length).toBeGreaterThan(10);
        expect(said()).not.toContain("[internal]");
        expect(said()).not.toMatch(/\n\s+at .*\.ts:/);
      }),
      { numRuns: runsOfEach, seed: 7 },
    );
  }
});

test.each([
  ["run", "--agent", "reference/expert", "--agent", "reference/random"],
  ["run", "--suite", "range@3", "--suite=range@2"],
  ["dataset", "--environment", "a", "--environment", "b"],
  ["leaderboard", "sign", "a", "--agent", "a", "--agent", "b"],
])("an option with one value that is given twice is refused: %s", async (...words) => {
  const { context, said } = aContext();
  expect(await codeOf(context, words)).toBe(exitCodes.usage.code);
  expect(said()).toMatch(/is given twice, with .* and .*; expected it once/);
});
