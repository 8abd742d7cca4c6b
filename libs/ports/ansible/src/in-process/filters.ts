import { ownNamesOnly } from "@microremed/core";
import { dump, load } from "js-yaml";
import { notInterpreted, TemplateError } from "./template-error.ts";
import { isTrue, isUndefined, textOf } from "./values.ts";

type Filter = (value: unknown, args: readonly unknown[]) => unknown;

const listOf = (value: unknown): readonly unknown[] => {
  if (Array.isArray(value)) return value;
  if (typeof value === "string") return [...value];
  if (typeof value === "object" && value !== null) return Object.keys(value);
  throw new TemplateError(`${textOf(value)} is no list`);
};

function field(value: unknown, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>(
      (at, name) =>
        typeof at === "object" && at !== null && Object.hasOwn(at, name)
          ? (at as Record<string, unknown>)[name]
          : undefined,
      value,
    );
}

/** What is no such text fails the task, as in Ansible. */
function parsed(filter: string, parse: () => unknown): unknown {
  try {
    return parse();
  } catch (error) {
    throw new TemplateError(`${filter}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

const filters: Readonly<Record<string, Filter>> = ownNamesOnly({
  default: (value, [other = "", whenFalse = false]) =>
    isUndefined(value) || (whenFalse === true && !isTrue(value)) ? other : value,
  int: (value, [other = 0]) =>
    Number.isNaN(Number.parseInt(textOf(value), 10)) ? other : Number.parseInt(textOf(value), 10),
  float: (value) => Number.parseFloat(textOf(value)) || 0,
  bool: (value) => value === true || ["true", "yes", "on", "1"].includes(textOf(value).toLowerCase()),
  string: (value) => textOf(value),
  length: (value) => listOf(value).length,
  lower: (value) => textOf(value).toLowerCase(),
  upper: (value) => textOf(value).toUpperCase(),
  trim: (value) => textOf(value).trim(),
  first: (value) => listOf(value)[0],
  last: (value) => listOf(value).at(-1),
  list: (value) => listOf(value),
  unique: (value) => [...new Set(listOf(value))],
  sort: (value) => listOf(value).toSorted((a, b) => (textOf(a) < textOf(b) ? -1 : 1)),
  join: (value, [between = ""]) => listOf(value).map(textOf).join(textOf(between)),
  split: (value, [at]) =>
    at === undefined ? textOf(value).trim().split(/\s+/) : textOf(value).split(textOf(at)),
  replace: (value, [from = "", to = ""]) => textOf(value).replaceAll(textOf(from), textOf(to)),
  from_json: (value) => parsed("from_json", () => JSON.parse(textOf(value))),
  from_yaml: (value) => parsed("from_yaml", () => load(textOf(value))),
  to_json: (value) => JSON.stringify(value),
  to_nice_json: (value) => JSON.stringify(value, null, 4),
  to_yaml: (value) => dump(value),
  map: (value, [name, attribute]) => {
    if (name !== "attribute") throw notInterpreted("the filter map with anything but an attribute");
    return listOf(value).map((item) => field(item, textOf(attribute)));
  },
  selectattr: (value, [name = "", test, wanted]) =>
    listOf(value).filter((item) => compare(field(item, textOf(name)), test, wanted)),
  rejectattr: (value, [name = "", test, wanted]) =>
    listOf(value).filter((item) => !compare(field(item, textOf(name)), test, wanted)),
});
const aliases: Readonly<Record<string, string>> = { d: "default", count: "length" };

function compare(found: unknown, test: unknown, wanted: unknown): boolean {
  if (test === undefined) return isTrue(found);
  if (test === "defined") return found !== undefined;
  if (["equalto", "eq", "=="].includes(textOf(test))) return found === wanted;
  if (test === "ne" || test === "!=") return found !== wanted;
  if (test === "in") return listOf(wanted).includes(found);
  throw notInterpreted(`the test ${textOf(test)} of a filter`);
}

export function applyFilter(name: string, value: unknown, args: readonly unknown[]): unknown {
  const plain = name.replace(/^ansible\.builtin\./, "");
  const filter = filters[aliases[plain] ?? plain];
  if (!filter || !Object.hasOwn(filters, aliases[plain] ?? plain)) throw notInterpreted(`the filter ${name}`);
  if (isUndefined(value) && plain !== "default" && plain !== "d") throw value.error;
  return filter(value, args);
}
