/**
 * Why a script of a container could run text that cannot be seen in it; undefined: it cannot. Bash runs commands that are in the
 * text of variables where it computes with them, and in `test -v`, `printf -v` and `read` as subscripts of a name.
 */
export function hiddenCode(script: unknown): string | undefined {
  const nodes = [...walk(script)];
  const odd = nodes.find(({ type }) => typeof type === "string" && refused.has(type));
  if (odd) return `${String(odd["type"])} can run text that is not seen`;
  const computed = nodes.filter(({ type }) => type === "ArithVariable").map(({ name }) => String(name));
  const unsure = computed.find((name) => !isNumber(name, nodes));
  if (unsure !== undefined) return `what ${unsure} is, with which it computes, cannot be seen`;
  const setting = namesSet(nodes).find((name) => !ownName.test(name));
  if (setting !== undefined)
    return `${setting} may not be set: a program may read it. Use a name in small letters`;
  return nodes.some((node) => isSubscribed(node, nodes))
    ? "an option that names a variable can run text that is not seen"
    : undefined;
}

type Node = Readonly<Record<string, unknown>>;

/** Nodes of a script in which bash reads text as code, or computes with text. */
const refused = new Set(
  "ArithmeticCommand CStyleFor ConditionalCommand Transform Indirection Substring LengthSliceError BadSubstitution AssignDefault ArrayKeys VarNamePrefix ArithBracedExpansion ArithDynamicBase ArithDynamicNumber ArithConcat ArithArrayElement ArithDoubleSubscript ArithNumberSubscript ArithSyntaxError ArithSingleQuote ArithDynamicAssignment ArithDynamicElement ArithNested ArithSpecialVar ArithAssignment".split(
    " ",
  ),
);
/** Programs read variables in capitals (PATH, LD_PRELOAD, HOME, SSLKEYLOGFILE), and proxies. */
const ownName = /^(?!.*proxy)([a-z]\w*|[A-Z])$/;
const named = /^[A-Za-z_]\w*$/;

function* walk(node: unknown): Generator<Node> {
  if (typeof node !== "object" || node === null) return;
  if (!Array.isArray(node)) yield node as Node;
  for (const value of Object.values(node)) yield* walk(value);
}

/** Variables that a script sets for itself, not those before a command. */
function namesSet(nodes: readonly Node[]): string[] {
  const isBefore = new Set(
    nodes
      .filter(({ type, name }) => type === "SimpleCommand" && name)
      .flatMap(({ assignments }) => assignments),
  );
  const assigned = nodes.filter((node) => node["type"] === "Assignment" && !isBefore.has(node));
  const loops = nodes.filter(({ type }) => type === "For" || type === "Select");
  const readIn = commands(nodes).flatMap(([program, ...words]) =>
    program === "read" ? words.filter((word) => word !== null && !word.startsWith("-")) : [],
  );
  return [
    ...assigned.map(({ name }) => String(name)),
    ...loops.map(({ variable }) => String(variable)),
    ...readIn.map(String),
  ];
}

/** Whether all that a variable is set to is a number that can be seen, computed, or the time. */
function isNumber(name: string, nodes: readonly Node[]): boolean {
  const loops = nodes.some(({ type, variable }) => type === "For" && variable === name);
  const readIn = commands(nodes).some(([program, ...words]) => program === "read" && words.includes(name));
  const set = nodes.filter((node) => node["type"] === "Assignment" && node["name"] === name);
  return (
    !loops &&
    !readIn &&
    set.length > 0 &&
    set.every((one) => !one["append"] && !one["array"] && isNumeric(one["value"]))
  );
}

function isNumeric(word: unknown): boolean {
  const parts = ((word as Node | null)?.["parts"] ?? []) as readonly Node[];
  const [part, ...more] = parts;
  if (!part || more.length > 0) return false;
  if (part["type"] === "Literal") return /^\d+$/.test(String(part["value"]));
  if (part["type"] === "ArithmeticExpansion") return true;
  if (part["type"] !== "CommandSubstitution") return false;
  const inside = commands([...walk(part["body"])]);
  return inside.length === 1 && /^date \+%[sN]+$/.test((inside[0] ?? []).join(" "));
}

/** Words of simple commands, those that are nothing but text; null: any other word. */
function commands(nodes: readonly Node[]): (string | null)[][] {
  return nodes
    .filter(({ type }) => type === "SimpleCommand")
    .map(({ name, args }) => [name, ...((args ?? []) as unknown[])].map(textOf));
}

function textOf(word: unknown): string | null {
  const parts = ((word as Node | null)?.["parts"] ?? []) as readonly Node[];
  const texts = parts.map(({ type, value, pattern }) => {
    if (type === "Glob") return pattern === "[" || pattern === "]" ? pattern : null;
    return type === "Literal" || type === "SingleQuoted" || type === "Escaped" ? String(value) : null;
  });
  return texts.includes(null) ? null : texts.join("");
}

/** `printf -v`, `wait -p`, a name for `read` that is none, and what can become `test -v`. */
function isSubscribed(node: Node, nodes: readonly Node[]): boolean {
  const [command] = node["type"] === "SimpleCommand" ? commands([node]) : [];
  if (!command) return false;
  const [program, ...words] = command;
  switch (program) {
    case "test":
    case "[":
      return testsUnseen(node, words, nodes);
    case "printf":
    case "wait":
      return words[0] === null || (words[0]?.startsWith("-") ?? false);
    case "read":
      return words.some((word) => word === null || !(named.test(word) || /^-[rs]+$/.test(word)));
    default:
      return false;
  }
}

const unary = /^-[a-zA-Z]$/;
const binary = /^(=|==|!=|<|>|-(eq|ne|lt|le|gt|ge|nt|ot|ef))$/;

/** Whether a word of a test that is filled in can be one of its operators, or several words. */
function testsUnseen(node: Node, all: readonly (string | null)[], nodes: readonly Node[]): boolean {
  const words = all.at(-1) === "]" ? all.slice(0, -1) : all;
  if (words.some((word) => word === "-v" || word === "-R")) return true;
  const args = (node["args"] ?? []) as readonly Node[];
  return words.some((word, at) => {
    if (word !== null) return false;
    if (!isOneWord(args[at], nodes)) return true;
    const isOperand =
      unary.test(words[at - 1] ?? "") || binary.test(words[at - 1] ?? "") || binary.test(words[at + 1] ?? "");
    return !isOperand && words.length > 1;
  });
}

/** In quotes, or a number. */
function isOneWord(word: Node | undefined, nodes: readonly Node[]): boolean {
  const parts = (word?.["parts"] ?? []) as readonly Node[];
  return parts.every(({ type, parameter, operation }) => {
    if (type !== "ParameterExpansion")
      return type !== "CommandSubstitution" && type !== "BraceExpansion" && type !== "Glob";
    const name = String(parameter);
    return operation === null && (/^[?#]$/.test(name) || isNumber(name, nodes));
  });
}
