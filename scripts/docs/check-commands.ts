import type { program } from "@microremed/cli";
import { type Command, parse } from "unbash";

type Verb = Awaited<ReturnType<typeof program>>;

/** What the commands of a page are compared with. */
export interface Known {
  readonly commandLine: Verb;
  /** Scripts of the root's package.json. */
  readonly scripts: ReadonlySet<string>;
  /** Whether a path of the repository begins so. */
  readonly exists: (path: string) => boolean;
}

/**
 * What is wrong in shell commands without running them: syntax, unknown verbs and options of `microremed`, unknown npm
 * scripts, `sh`, `kubectl -k` and vitest arguments that name no file. Placeholders such as `<id>` are arguments.
 */
export function mistakesIn(commands: string, known: Known): readonly string[] {
  const { errors, lines } = simpleCommands(commands.replaceAll(/<[a-z][^<>\n]*>/g, "[PLACEHOLDER]"));
  return [...errors, ...lines.flatMap((words) => mistakesOf(words, known))];
}

function mistakesOf(words: readonly string[], known: Known): string[] {
  const [program = "", ...args] = words;
  if (program === "npx" && args[0] === "--yes") return mistakesOf([program, ...args.slice(1)], known);
  if (program === "npx" && args[0] === "--package") return mistakesOf(args.slice(2), known);
  if (program === "npx") return mistakesOf(args, known);
  if (program === "microremed") return mistakesOfVerb(args, known.commandLine, "microremed");
  const missing = (path: string | undefined): string[] =>
    path === undefined || known.exists(path) || path.includes("PLACEHOLDER")
      ? []
      : [`${program}: no path ${path}`];
  if (program === "npm" && args[0] === "run") {
    const script = args.find((arg) => arg !== "run" && !arg.startsWith("-")) ?? "";
    return known.scripts.has(script) || args.includes("-w") ? [] : [`npm run: no script ${script}`];
  }
  if (program === "sh") return missing(args[0]);
  if (program === "kubectl" && args.includes("-k")) return missing(args[args.indexOf("-k") + 1]);
  if (program === "vitest") return args.filter((arg) => arg.includes("/")).flatMap(missing);
  return [];
}

function mistakesOfVerb(args: readonly string[], command: Verb, name: string): string[] {
  const [first = "", ...rest] = args;
  const verb = command.commands.find((one) => one.name() === first);
  if (verb) return mistakesOfVerb(rest, verb, `${name} ${first}`);
  if (first === "" || first.startsWith("[")) return [];
  const needsVerb = command.commands.length > 0 && command.options.length === 0;
  if ((name === "microremed" || needsVerb) && !first.startsWith("-")) return [`${name}: no command ${first}`];
  const known = command.options.flatMap(({ short, long }) => [short, long]);
  // What follows `--` is a program of the user's.
  const own = args.includes("--") ? args.slice(0, args.indexOf("--")) : args;
  const options = own.filter((arg) => /^--?[a-z]/i.test(arg)).map((arg) => arg.replace(/=.*/, ""));
  return options
    .filter((option) => !["--help", "-h", ...known].includes(option))
    .map((option) => `${name}: no option ${option}`);
}

/** The words of every simple command in a script, wherever it is nested, and errors of its syntax. */
function simpleCommands(script: string): { readonly errors: string[]; readonly lines: string[][] } {
  const tree = parse(script);
  const lines: string[][] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    if ("type" in node && node.type === "Command") {
      const { name, suffix } = node as Command;
      const words = suffix.flatMap((part) => (part.type === "Word" ? [part.value] : []));
      if (name) lines.push([name.value, ...words]);
    }
    Object.values(node).forEach(visit);
  };
  // As plain data, for the parts of words are otherwise made only when they are asked for.
  visit(JSON.parse(JSON.stringify(tree)));
  return { errors: (tree.errors ?? []).map((error) => `syntax: ${JSON.stringify(error)}`), lines };
}
