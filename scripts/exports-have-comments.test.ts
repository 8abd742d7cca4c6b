import { expect, test } from "vitest";
import { exportedSymbols } from "./exports/exported-symbols.ts";

/** As a person finds it: what to open, and what to write a comment on. */
const place = ({ file, name, specifier }: { file: string; name: string; specifier: string }): string =>
  `${file}: ${name}, exported by ${specifier}`;

const symbols = exportedSymbols();

test("the exports of every package are found, whatever they are and wherever they are declared", () => {
  const found = (specifier: string, name: string) =>
    symbols.find((one) => one.specifier === specifier && one.name === name);
  expect(found("@microremed/core", "waitFor")).toMatchObject({ file: "libs/core/src/wait.ts" });
  expect(found("@microremed/bus/nats", "connectNatsBus")).toBeDefined();
  // A schema and the type of the same name are one export.
  expect(found("@microremed/contracts", "Conversation")?.comment).toMatch(/messages/);
  expect(new Set(symbols.map(({ specifier }) => specifier)).size).toBeGreaterThan(60);
});

test("every export says what it is: shapes, units, errors, the source of a formula", () => {
  expect(symbols.filter(({ comment }) => comment === "").map(place)).toEqual([]);
});

/** Words of a name, singular, without those that say nothing: `createHtmlPages` -> html, page. */
function wordsOf(text: string): Set<string> {
  const words =
    text
      .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  return new Set(words.filter((word) => !saysNothing.has(word)).map((word) => word.replace(/s$/, "")));
}
const saysNothing = new Set(
  "a an the of for to in on is it its this that and or as with what which type interface options function returns create make get value".split(
    " ",
  ),
);

test("no comment only repeats its name", () => {
  const repeated = symbols.filter(({ name, comment }) => {
    const inName = wordsOf(name);
    return comment !== "" && [...wordsOf(comment)].every((word) => inName.has(word));
  });
  expect(repeated.map(place)).toEqual([]);
});
