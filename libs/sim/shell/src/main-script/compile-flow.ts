import type { CommandNode, SimpleCommandNode } from "just-bash";
import { nullDevice } from "../container/synthetic-files.ts";
import { compileStatements } from "../plain/compile.ts";
import { NotPlain, type Statement, type Step } from "../plain/shell.ts";
import { changesShell, needsWholeShell } from "../plain/shell-words.ts";
import { fieldsOf, fixedText, type Substitution } from "../plain/words.ts";
import type { Flow, Link, MainFlow } from "./flow.types.ts";

/** What the compiler asks of the rest of the shell. */
export interface Language {
  parse(script: string): { readonly statements: readonly Statement[] };
  serialize(script: never): string;
  /** Runs text in the whole shell, with the script's variables: for what is not plain. */
  wholeShell(text: string): Step;
  /** What a program of this name would do is known. */
  knows(name: string): boolean;
  /** A file of this absolute path is known not to be there: to start it fails. */
  lacks(path: string): boolean;
}

interface Inside {
  readonly loop: boolean;
  /** Failures end nothing here, whatever `set -e` says. */
  readonly asks: boolean;
}

/** Print, compute or wait, and nothing else. */
const pure = new Set([
  "echo",
  "printf",
  "date",
  "sleep",
  ":",
  "true",
  "false",
  "[",
  "test",
  "seq",
  "hostname",
]);
const units: Readonly<Record<string, number>> = { "": 1, s: 1, m: 60, h: 3600, d: 86_400 };
/** They change how what follows is run, and do nothing. */
const setting = /^(?:trap\s|set\s+[-+])/;
/** `trap '...' EXIT`, with other signals or without, or `trap - EXIT`. */
const exitTrap = /^trap\s+(?:--\s+)?(?:'([^']*)'|"([^"$`\\]*)"|([\w-]+))\s+(?:\w+\s+)*(?:EXIT|0)(?:\s+\w+)*$/;

/**
 * A container's own script. Throws `NotPlain` where it has something that cannot be run bit by bit: background commands,
 * arrays, `read` and so on.
 */
export function compileMain(script: string, language: Language, errexit: boolean): MainFlow {
  const compiler = createCompiler(language, errexit);
  const flow = compiler.list(language.parse(script).statements, { loop: false, asks: false });
  return { flow, takesTime: compiler.hasTime(), isLazy: compiler.isPure() && isEndless(flow) };
}

/** What a trap says for the end of a script; signals end a container without it. Undefined: the text is no such trap. */
function actionAtExit(text: string): string | undefined {
  const [, single, double, word] = exitTrap.exec(text) ?? [];
  const action = single ?? double ?? word;
  return action === "-" ? "" : action;
}

/** What a `set` says of `errexit`; undefined: nothing, or it is another command. */
function errexitIn(text: string): boolean | undefined {
  const [, sign] = /^set\s(?:.*\s)?([-+])(?:\w*e\w*|\w*o\s+errexit)(?=\s|$)/.exec(text) ?? [];
  return sign === undefined ? undefined : sign === "-";
}

function createCompiler(language: Language, errexitAtStart: boolean) {
  let [isPure, hasTime, errexit] = [true, false, errexitAtStart];
  const functions = new Set<string>();
  const textOf = (statement: Statement): string =>
    language.serialize({ type: "Script", statements: [statement] } as never).trim();

  const list = (statements: readonly Statement[], inside: Inside): Flow => ({
    kind: "list",
    parts: statements.map((statement) => statementFlow(statement, inside)),
  });

  function statementFlow(statement: Statement, inside: Inside): Flow {
    if (statement.background || statement.deferredError) throw new NotPlain();
    const replaced = isSimple(statement) ? afterExec(statement.pipelines[0]?.commands[0]) : undefined;
    if (replaced) return { kind: "list", parts: [simpleFlow(replaced, inside), leave] };
    const text = textOf(statement);
    const action = actionAtExit(text);
    if (action !== undefined) {
      hasTime = true;
      return { kind: "at-exit", flow: list(language.parse(action).statements, { ...inside, asks: true }) };
    }
    if (isSimple(statement) && setting.test(text)) {
      errexit = errexitIn(text) ?? errexit;
      return { kind: "list", parts: [] };
    }
    if (!takesTime(statement) && !comesToUnknown(statement)) return leaf(statement, text, inside);
    hasTime = true;
    const parts = statement.pipelines.map(({ commands, negated, timed }, at): Link => {
      const [command] = commands;
      if (!command || commands.length > 1 || timed) throw new NotPlain();
      const asks = inside.asks || negated || at < statement.pipelines.length - 1;
      const flow = commandFlow(command, { ...inside, asks });
      return { operator: at === 0 ? undefined : statement.operators[at - 1], negated, flow };
    });
    const [only] = parts;
    return parts.length === 1 && only && !only.negated ? only.flow : { kind: "chain", parts };
  }

  const isKnown = (name: string): boolean => name === "" || functions.has(name) || language.knows(name);
  const isKnownCommand = (one: SimpleCommandNode) => isKnown(nameOf(one)) || language.lacks(pathOf(one));

  const comesToUnknown = (statement: Statement): boolean =>
    hasParts(statement) &&
    commandsIn(statement).some((one) => afterExec(one) !== undefined || !isKnownCommand(one));

  function leaf(statement: Statement, text: string, { loop, asks }: Inside): Flow {
    const endsOnFailure =
      errexit && !asks && statement.operators.length === 0 && !statement.pipelines[0]?.negated;
    const names = namesIn(statement);
    if (names.some((name) => !pure.has(name) && !functions.has(name)) || !printsOnly(statement))
      isPure = false;
    const commands = commandsIn(statement);
    if (!commands.every(isKnownCommand) || commands.some(waitsForEver)) {
      hasTime = true;
      return { kind: "stays", serves: !commands.some((command) => nameOf(command) === "tail") };
    }
    try {
      if (needsWholeShell(text, [statement])) throw new NotPlain();
      const run = compileStatements([statement], { loop, body: false });
      for (const name of functionsOf(statement)) functions.add(name);
      return { kind: "leaf", run, endsOnFailure };
    } catch (thrown) {
      if (!(thrown instanceof NotPlain) || leavesTraces(statement)) throw thrown;
      isPure = false;
      return { kind: "leaf", run: language.wholeShell(text), endsOnFailure };
    }
  }

  function commandFlow(command: CommandNode, inside: Inside): Flow {
    if (command.type === "SimpleCommand") return simpleFlow(command, inside);
    if ("redirections" in command && command.redirections.length > 0) throw new NotPlain();
    switch (command.type) {
      case "Group":
        return list(command.body, inside);
      case "If":
        return {
          kind: "if",
          clauses: command.clauses.map(({ condition, body }) => ({
            condition: list(condition, { ...inside, asks: true }),
            body: list(body, inside),
          })),
          otherwise: command.elseBody ? list(command.elseBody, inside) : undefined,
        };
      case "While":
      case "Until": {
        const condition = list(command.condition, { loop: true, asks: true });
        const body = list(command.body, { ...inside, loop: true });
        return {
          kind: "while",
          condition,
          body,
          until: command.type === "Until",
          always: !errexit && goesOnForEver(command),
          even: [...command.condition, ...command.body].every(isEven),
        };
      }
      case "For": {
        if (!command.words) throw new NotPlain();
        const words = command.words.map((word) => fieldsOf(word, substitution));
        return {
          kind: "for",
          variable: command.variable,
          values: async (shell) => {
            const all: string[] = [];
            for (const word of words) all.push(...(await word(shell)));
            return all;
          },
          body: list(command.body, { ...inside, loop: true }),
        };
      }
      default:
        throw new NotPlain();
    }
  }

  function simpleFlow(command: SimpleCommandNode, inside: Inside): Flow {
    return nameOf(command) === "sleep" ? sleepFlow(command) : statementFlow(alone(command), inside);
  }

  return { list, isPure: () => isPure, hasTime: () => hasTime };
}

function sleepFlow(command: SimpleCommandNode): Flow {
  if (command.assignments.length > 0) throw new NotPlain();
  const words = command.args.map((word) => fieldsOf(word, substitution));
  if (command.args.some((word) => /^inf/.test(word.parts.map(literalOf).join(""))))
    return { kind: "stays", serves: false };
  return {
    kind: "sleep",
    async ms(shell) {
      const fields: string[] = [];
      for (const word of words) fields.push(...(await word(shell)));
      return 1000 * fields.reduce((sum, field) => sum + secondsOf(field), 0);
    },
  };
}

const secondsOf = (text: string): number => {
  const [, number, unit = ""] = /^(\d+(?:\.\d+)?|\.\d+)([smhd]?)$/.exec(text) ?? [];
  return Number(number ?? 0) * (units[unit] ?? 1);
};

/** A command substitution of a word that waits: computed as any other. */
const substitution: Substitution = (statements) => {
  const step = compileStatements(statements);
  return async (shell) => {
    let printed = "";
    const write = {
      ...shell.write,
      out: (text: string): void => {
        printed += text;
      },
    };
    await step({ ...shell, variables: new Map(shell.variables), functions: new Map(shell.functions), write });
    return printed.replace(/\n+$/, "");
  };
};

const alone = (command: CommandNode): Statement =>
  ({
    type: "Statement",
    pipelines: [{ type: "Pipeline", commands: [command], negated: false }],
    operators: [],
    background: false,
  }) as Statement;

const literalOf = (part: { readonly type: string }): string =>
  "value" in part && typeof part.value === "string" ? part.value : "";

/** The program of a simple command; empty: an assignment, or it is only known when it runs. */
const nameOf = (command: SimpleCommandNode): string => pathOf(command).split("/").pop() ?? "";

/** The same as it is written, with its folder. */
function pathOf({ name }: SimpleCommandNode): string {
  if (!name) return "";
  const [first] = name.parts;
  if (first?.type === "Glob" && first.pattern === "[") return "[";
  try {
    return name.parts.map(fixedText).join("");
  } catch {
    return "?";
  }
}

/** What `exec PROGRAM ...` runs in the place of its shell; undefined: the command is something else. */
function afterExec(command: CommandNode | undefined): SimpleCommandNode | undefined {
  if (command?.type !== "SimpleCommand" || nameOf(command) !== "exec") return undefined;
  const [name, ...args] = command.args;
  const isOption = name?.parts.map(literalOf).join("").startsWith("-") ?? true;
  return isOption ? undefined : { ...command, name: name as SimpleCommandNode["name"], args };
}

/** The script ends with the exit code of what was run last. */
const leave: Flow = {
  kind: "leaf",
  run: (shell) => {
    shell.leaving = "exit";
  },
  endsOnFailure: false,
};

/** All simple commands below a part of a script, those of command substitutions too. */
function commandsIn(part: unknown, found: SimpleCommandNode[] = []): SimpleCommandNode[] {
  if (Array.isArray(part)) for (const one of part) commandsIn(one, found);
  else if (typeof part === "object" && part !== null) {
    if ("type" in part && part.type === "SimpleCommand") found.push(part as SimpleCommandNode);
    for (const inner of Object.values(part)) commandsIn(inner, found);
  }
  return found;
}

const namesIn = (statement: Statement): readonly string[] =>
  commandsIn(statement)
    .map(nameOf)
    .filter((name) => name !== "");

const functionsOf = (statement: Statement): readonly string[] =>
  statement.pipelines.flatMap(({ commands }) =>
    commands.flatMap((command) => (command.type === "FunctionDef" ? [command.name] : [])),
  );

const loops = new Set(["While", "Until"]);

/** Time passes in it, or it may run for ever: it has a loop or waits. */
function takesTime(part: unknown): boolean {
  if (Array.isArray(part)) return part.some(takesTime);
  if (typeof part !== "object" || part === null) return false;
  if ("type" in part) {
    if (part.type === "FunctionDef" || part.type === "CommandSubstitution") return false;
    if (loops.has(part.type as string)) return true;
    if (part.type === "SimpleCommand" && nameOf(part as SimpleCommandNode) === "sleep") return true;
  }
  return Object.values(part).some(takesTime);
}

/** A program that ends with the container only. */
function waitsForEver(command: SimpleCommandNode): boolean {
  const args = command.args.map((word) => word.parts.map(literalOf).join(""));
  const options = args.filter((arg) => arg.startsWith("-"));
  const name = nameOf(command);
  if (name === "tail") return options.some((option) => /^-\w*[fF]|^--follow/.test(option));
  return name === "nc" && options.some((option) => /^-\w*l/.test(option));
}

const isSimple = ({ pipelines }: Statement): boolean =>
  pipelines.length === 1 &&
  pipelines[0]?.commands.length === 1 &&
  pipelines[0].commands[0]?.type === "SimpleCommand";

/** It is made of commands that can be run one by one. */
const hasParts = (statement: Statement): boolean =>
  !isSimple(statement) &&
  statement.pipelines.every(
    ({ commands, timed }) => commands.length === 1 && !timed && commands[0]?.type !== "FunctionDef",
  );

/** Nothing goes to a file. */
function printsOnly(statement: Statement): boolean {
  return commandsIn(statement).every(({ redirections }) =>
    redirections.every(
      ({ operator, target }) =>
        operator === ">&" || (target.type === "Word" && target.parts.map(literalOf).join("") === nullDevice),
    ),
  );
}

/** It would leave something in the shell that runs it, which is another one each time. */
function leavesTraces(statement: Statement): boolean {
  return (
    functionsOf(statement).length > 0 ||
    commandsIn(statement.pipelines).some(
      (command) => (!command.name && command.assignments.length > 0) || changesShell(nameOf(command)),
    )
  );
}

/** Does the same each time, whatever its variables are. */
const isEven = (statement: Statement): boolean =>
  isSimple(statement) && statement.operators.length === 0 && !statement.pipelines[0]?.negated;

/** Whether nothing in a loop says that it ends. */
function goesOnForEver({
  type,
  condition,
  body,
}: Extract<CommandNode, { type: "While" | "Until" }>): boolean {
  const on = type === "Until" ? ["false"] : ["true", ":", "sleep"];
  const holds = condition.every((one) => isEven(one) && namesIn(one).every((name) => on.includes(name)));
  return holds && !commandsIn(body).some((command) => /^(break|return|exit|exec|\?)$/.test(nameOf(command)));
}

/** Whether a script goes on for ever, as far as its words say. */
function isEndless(flow: Flow): boolean {
  switch (flow.kind) {
    case "stays":
      return true;
    case "list":
      return flow.parts.some(isEndless);
    case "while":
      return flow.always;
    default:
      return false;
  }
}
