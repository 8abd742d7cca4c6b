import { KubectlFailure, notSimulated } from "./failures.ts";

type Node =
  | { readonly text: string }
  | { readonly path: string }
  | { readonly over: string; readonly body: readonly Node[] };

/** Prints what a template of kubectl's JSONPath makes of a value. */
export function printJsonPath(template: string, value: unknown): string {
  const { nodes } = parse(pieces(template), 0, false);
  return print(nodes, value, value);
}

function print(nodes: readonly Node[], here: unknown, root: unknown): string {
  return nodes
    .map((node) => {
      if ("text" in node) return node.text;
      if ("path" in node) return evaluate(node.path, here, root).map(asText).join(" ");
      return evaluate(node.over, here, root)
        .map((item) => print(node.body, item, root))
        .join("");
    })
    .join("");
}

const asText = (value: unknown): string =>
  typeof value === "object" ? JSON.stringify(value) : String(value);

/** Text and the contents of braces, in turn. */
function pieces(template: string): readonly { readonly inside: boolean; readonly text: string }[] {
  const found: { inside: boolean; text: string }[] = [];
  let rest = /[{]/.test(template) ? template : `{${template}}`;
  while (rest !== "") {
    const open = rest.indexOf("{");
    if (open !== 0) {
      found.push({ inside: false, text: open < 0 ? rest : rest.slice(0, open) });
      rest = open < 0 ? "" : rest.slice(open);
      continue;
    }
    const [all = "", inner = ""] = /^\{((?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[^}"'])*)\}/.exec(rest) ?? [];
    if (all === "") throw new KubectlFailure(`error: error parsing jsonpath ${template}, unclosed action`);
    found.push({ inside: true, text: inner.trim() });
    rest = rest.slice(all.length);
  }
  return found;
}

function parse(
  all: ReturnType<typeof pieces>,
  from: number,
  inRange: boolean,
): { readonly nodes: readonly Node[]; readonly next: number } {
  const nodes: Node[] = [];
  for (let at = from; at < all.length; at++) {
    const { inside, text } = all[at] ?? { inside: false, text: "" };
    if (!inside) nodes.push({ text });
    else if (text === "end" && inRange) return { nodes, next: at };
    else if (/^range\s/.test(text)) {
      const { nodes: body, next } = parse(all, at + 1, true);
      nodes.push({ over: text.replace(/^range\s+/, ""), body });
      at = next;
    } else if (/^["']/.test(text)) nodes.push({ text: unquote(text) });
    else nodes.push({ path: text });
  }
  if (inRange) throw new KubectlFailure("error: error parsing jsonpath, unexpected end of range");
  return { nodes, next: all.length };
}

const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r" };
const unquote = (text: string): string =>
  text.slice(1, -1).replace(/\\(.)/g, (_all, char: string) => escapes[char] ?? char);

const step =
  /^(?:\.\.(?<deep>[\w-]+)|\.?\[\?\(@(?<filter>[^()]*)\)\]|\.?\[(?<index>-?\d+|\*)\]|\.?\['(?<quoted>[^']*)'\]|\.(?<any>\*)|\.(?<name>(?:\\.|[\w/-])+))/;

/** All values that a path leads to. */
export function evaluate(path: string, here: unknown, root: unknown): readonly unknown[] {
  const fromRoot = path.startsWith("$");
  let rest = path.replace(/^[$@]/, "");
  let values: readonly unknown[] = [fromRoot ? root : here];
  if (rest === ".") return values;
  if (/^\w/.test(rest)) rest = `.${rest}`;
  while (rest !== "") {
    const match = step.exec(rest);
    if (!match?.groups) throw notSimulated(`the JSONPath ${path}`);
    const { deep, filter, index, quoted, any, name } = match.groups;
    if (deep !== undefined) values = values.flatMap((value) => everywhere(value, deep));
    else if (filter !== undefined)
      values = values.flatMap((value) => items(value).filter((item) => passes(filter, item)));
    else if (index === "*" || any !== undefined) values = values.flatMap(items);
    else if (index !== undefined) values = values.flatMap((value) => present(items(value).at(Number(index))));
    else
      values = values.flatMap((value) =>
        present(field(value, quoted ?? (name ?? "").replace(/\\(.)/g, "$1"))),
      );
    rest = rest.slice(match[0].length);
  }
  return values;
}

const present = (value: unknown): readonly unknown[] =>
  value === undefined || value === null ? [] : [value];

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

function items(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return typeof value === "object" && value !== null ? Object.values(value) : [];
}

function everywhere(value: unknown, name: string): readonly unknown[] {
  const own = Array.isArray(value) ? [] : present(field(value, name));
  return [
    ...own,
    ...items(value).flatMap((item) => (typeof item === "object" ? everywhere(item, name) : [])),
  ];
}

/** `.type=="Ready"`, `.name`, `.count>1` */
function passes(filter: string, item: unknown): boolean {
  const [, left = "", operator, right = ""] =
    /^\s*([^=!<>\s]*)\s*(==|!=|>=|<=|>|<)?\s*(.*?)\s*$/.exec(filter) ?? [];
  const [value] = evaluate(left === "" ? "." : left, item, item);
  if (operator === undefined) return value !== undefined;
  const wanted = /^["']/.test(right) ? unquote(right) : right;
  if (operator === "==") return String(value) === wanted;
  if (operator === "!=") return String(value) !== wanted;
  const [a, b] = [Number(value), Number(wanted)];
  return operator === ">" ? a > b : operator === "<" ? a < b : operator === ">=" ? a >= b : a <= b;
}
