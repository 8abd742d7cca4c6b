import type { CommandNode, SimpleCommandNode } from "just-bash";
import { commands } from "../commands/commands.ts";
import { nullDevice } from "../container/synthetic-files.ts";
import { builtins } from "./builtins.ts";
import { filterOf } from "./filters.ts";
import { after, inTurn, type Soon } from "./in-turn.ts";
import {
  ignored,
  NotPlain,
  type PlainShell,
  printed,
  type Statement,
  type Step,
  type Write,
} from "./shell.ts";
import { leavings } from "./shell-words.ts";
import { type Fields, fieldsOf, fixedText, patternOf, type Substitution, textOf } from "./words.ts";

type Of<T extends CommandNode["type"]> = Extract<CommandNode, { type: T }>;

/** Where a statement is: what may be left from there. */
interface Inside {
  readonly loop: boolean;
  readonly body: boolean;
}

/** Throws `NotPlain` where the statements have something that only the whole shell knows. */
export function compileStatements(
  statements: readonly Statement[],
  inside: Inside = { loop: false, body: false },
): Step {
  const steps = statements.map((statement) => statementStep(statement, inside));
  const [only] = steps;
  if (only && steps.length === 1) return only;
  return (shell) => inTurn(steps, (step) => after(step(shell), () => shell.leaving !== undefined));
}

function statementStep(statement: Statement, inside: Inside): Step {
  if (statement.background || statement.deferredError) throw new NotPlain();
  const steps = statement.pipelines.map(({ commands, negated, timed, pipeStderr }) => {
    const [command, ...others] = commands;
    if (!command || timed || pipeStderr?.includes(true)) throw new NotPlain();
    const run = others.length > 0 ? pipedStep(command, others) : commandStep(command, inside);
    return { run, negated };
  });
  const { operators } = statement;
  const [only] = steps;
  if (only && steps.length === 1 && !only.negated) return only.run;
  return (shell) =>
    inTurn(steps, ({ run, negated }, at) => {
      const operator = operators[at - 1];
      if ((operator === "&&" && shell.code !== 0) || (operator === "||" && shell.code === 0)) return false;
      return after(run(shell), () => {
        if (shell.leaving) return true;
        if (negated) shell.code = shell.code === 0 ? 1 : 0;
        return false;
      });
    });
}

function commandStep(command: CommandNode, inside: Inside): Step {
  if (command.type !== "SimpleCommand" && command.redirections.length > 0) throw new NotPlain();
  switch (command.type) {
    case "SimpleCommand":
      return command.name ? programStep(command, inside) : assignmentStep(command);
    case "Group":
      return compileStatements(command.body, inside);
    case "If":
      return ifStep(command, inside);
    case "For":
      return forStep(command, inside);
    case "Case":
      return caseStep(command, inside);
    case "FunctionDef":
      return functionStep(command);
    default:
      throw new NotPlain();
  }
}

/** A program whose output filters change. It runs in a copy of the shell. */
function pipedStep(command: CommandNode, others: readonly CommandNode[]): Step {
  if (command.type !== "SimpleCommand" || !command.name) throw new NotPlain();
  const step = programStep(command, { loop: false, body: false });
  const pipe = others.map((other) => {
    if (
      other.type !== "SimpleCommand" ||
      !other.name ||
      other.assignments.length + other.redirections.length > 0
    )
      throw new NotPlain();
    const [name = "", ...args] = [other.name, ...other.args].map(({ parts }) =>
      parts.map(fixedText).join(""),
    );
    const filter = filterOf(name, args);
    if (!filter) throw new NotPlain();
    return { name, args, filter };
  });
  return async (shell) => {
    let text = "";
    const out = (more: string): void => {
      text += more;
    };
    await step({ ...copied(shell), write: { ...shell.write, out } });
    for (const { name, args, filter } of pipe) {
      shell.programs.count();
      const there = shell.programs.has(name);
      const result = there ? printed(filter(text)) : await shell.programs.run(shell, name, args);
      text = result.out;
      shell.write.err(result.err);
      shell.code = result.code;
    }
    shell.write.out(text);
  };
}

const copied = (shell: PlainShell): PlainShell => ({
  ...shell,
  variables: new Map(shell.variables),
  functions: new Map(shell.functions),
});

function assignmentStep({ assignments, redirections }: SimpleCommandNode): Step {
  if (redirections.length > 0) throw new NotPlain();
  const set = assigned(assignments);
  return (shell) => {
    shell.programs.count();
    shell.substituted = 0;
    return after(set(shell), () => {
      shell.code = shell.substituted;
    });
  };
}

/** Sets variables one after the other: each may read those before it. */
function assigned(assignments: SimpleCommandNode["assignments"]): (shell: PlainShell) => Soon<unknown> {
  const steps = assignments.map(({ name, value, append, array }) => {
    if (append || array || !/^[A-Za-z_]\w*$/.test(name)) throw new NotPlain();
    return { name, text: value ? textOf(value, substitution) : () => "" };
  });
  return (shell) =>
    inTurn(steps, ({ name, text }) =>
      after(text(shell), (value) => {
        shell.variables.set(name, value);
        return false;
      }),
    );
}

/** What runs with variables of its own, which are gone when it has ended. Only programs of the image: they read no other. */
function withGiven(assignments: SimpleCommandNode["assignments"], program: string | null): Around {
  if (assignments.length === 0) return (_shell, run) => run();
  if (program === null || !commands.has(program) || builtins.has(program)) throw new NotPlain();
  const set = assigned(assignments);
  const given = assignments.map(({ name }) => name);
  return (shell, run) => {
    const former = new Map(shell.variables);
    return after(set(shell), () => {
      shell.given = given;
      return after(run(), () => {
        shell.given = [];
        shell.variables.clear();
        for (const [name, value] of former) shell.variables.set(name, value);
      });
    });
  };
}

/** Does something before and after a program runs. */
type Around = (shell: PlainShell, run: () => Soon<void>) => Soon<void>;

function programStep(command: SimpleCommandNode, inside: Inside): Step {
  if (!command.name) throw new NotPlain();
  const [first] = command.name.parts;
  const bracket = first?.type === "Glob" && first.pattern === "[" && command.name.parts.length === 1;
  const fixed = bracket ? "[" : first?.type === "Literal" ? command.name.parts.map(fixedText).join("") : null;
  const words = [
    ...(bracket ? [] : [fieldsOf(command.name, substitution)]),
    ...command.args.map((arg) => fieldsOf(arg, substitution)),
  ];
  const around = withGiven(command.assignments, fixed);
  const redirected = redirectedBy(command.redirections);
  const leave = fixed === null ? undefined : leavingStep(fixed, command, inside);
  const perform = (shell: PlainShell, [name, ...args]: readonly string[]): Soon<void> => {
    if (name === undefined) return;
    if (leave) return leave(shell, args);
    const write = redirected(shell.write);
    const body = shell.functions.get(name);
    if (body) return call(shell, body, args, write);
    const own = builtins.get(name)?.(shell, args, write);
    return after(own, (result) =>
      after(result ?? shell.programs.run(shell, name, args), ({ out, err, code }) => {
        write.out(out);
        write.err(err);
        shell.code = code;
      }),
    );
  };
  return (shell) => {
    shell.programs.count();
    return after(fieldsIn(shell, words, bracket ? ["["] : []), (fields) =>
      around(shell, () => perform(shell, fields)),
    );
  };
}

/** The fields of words, one after the other. */
function fieldsIn(shell: PlainShell, words: readonly Fields[], fields: string[] = []): Soon<string[]> {
  const add = (more: readonly string[]): boolean => {
    fields.push(...more);
    return false;
  };
  return after(
    inTurn(words, (word) => after(word(shell), add)),
    () => fields,
  );
}

/** After so many calls inside of each other one waits, or a function that calls itself would use up the stack. */
const callsAtOnce = 50;

function call(shell: PlainShell, body: Step, args: readonly string[], write: Write): Soon<void> {
  const { args: formerArgs, write: formerWrite } = shell;
  shell.args = args;
  shell.write = write;
  shell.depth++;
  const called = shell.depth % callsAtOnce === 0 ? Promise.resolve().then(() => body(shell)) : body(shell);
  return after(called, () => {
    shell.depth--;
    shell.args = formerArgs;
    shell.write = formerWrite;
    if (shell.leaving === "return") shell.leaving = undefined;
  });
}

/** `break`, `continue`, `return` and `exit`, each only where it says what it leaves. */
function leavingStep(name: string, { args, redirections }: SimpleCommandNode, inside: Inside) {
  const leaves = leavings.find((one) => one === name);
  if (!leaves) return undefined;
  const loop = leaves === "break" || leaves === "continue";
  const allowed = loop ? inside.loop && args.length === 0 : leaves === "exit" || inside.body;
  if (!allowed || args.length > 1 || redirections.length > 0) throw new NotPlain();
  return (shell: PlainShell, [code]: readonly string[]): void => {
    if (loop) shell.code = 0;
    else if (code !== undefined) shell.code = /^\d+$/.test(code) ? Number(code) & 255 : 2;
    shell.leaving = leaves;
  };
}

function ifStep({ clauses, elseBody }: Of<"If">, inside: Inside): Step {
  const steps = clauses.map(({ condition, body }) => ({
    condition: compileStatements(condition, inside),
    body: compileStatements(body, inside),
  }));
  const otherwise = elseBody && compileStatements(elseBody, inside);
  return (shell) => {
    let isDone = false;
    const tried = inTurn(steps, ({ condition, body }) =>
      after(condition(shell), () => {
        isDone = shell.leaving !== undefined || shell.code === 0;
        if (shell.leaving || !isDone) return isDone;
        return after(body(shell), () => true);
      }),
    );
    return after(tried, () => {
      if (isDone) return;
      shell.code = 0;
      return otherwise?.(shell);
    });
  };
}

function forStep({ variable, words, body }: Of<"For">, inside: Inside): Step {
  if (!words) throw new NotPlain();
  const values = words.map((word) => fieldsOf(word, substitution));
  const step = compileStatements(body, { ...inside, loop: true });
  const round = (shell: PlainShell, value: string): Soon<boolean> => {
    shell.programs.count();
    shell.variables.set(variable, value);
    return after(step(shell), () => {
      const { leaving } = shell;
      if (leaving === "break" || leaving === "continue") shell.leaving = undefined;
      return leaving !== undefined && leaving !== "continue";
    });
  };
  return (shell) =>
    after(fieldsIn(shell, values), (all) => {
      shell.code = 0;
      return inTurn(all, (value) => round(shell, value));
    });
}

function caseStep({ word, items }: Of<"Case">, inside: Inside): Step {
  const subject = textOf(word, substitution);
  const steps = items.map(({ patterns, body, terminator }) => {
    if (terminator !== ";;") throw new NotPlain();
    return { patterns: patterns.map(patternOf), body: compileStatements(body, inside) };
  });
  return (shell) =>
    after(subject(shell), (text) => {
      shell.code = 0;
      return steps.find(({ patterns }) => patterns.some((pattern) => pattern.test(text)))?.body(shell);
    });
}

function functionStep({ name, body, redirections }: Of<"FunctionDef">): Step {
  if (body.type !== "Group" || body.redirections.length + redirections.length > 0) throw new NotPlain();
  if (name === ":" || leavings.some((one) => one === name)) throw new NotPlain();
  const step = compileStatements(body.body, { loop: false, body: true });
  return (shell) => {
    shell.functions.set(name, step);
    shell.code = 0;
  };
}

/** Runs statements in a copy of the shell; what they print, without the newlines at its end. */
const substitution: Substitution = (statements) => {
  const step = compileStatements(statements);
  return (shell) => {
    let output = "";
    const out = (text: string): void => {
      output += text;
    };
    const inner: PlainShell = { ...copied(shell), write: { ...shell.write, out } };
    return after(step(inner), () => {
      shell.code = inner.code;
      shell.substituted = inner.code;
      return output.replace(/\n+$/, "");
    });
  };
};

/** Redirections to the null device and from one stream to the other, in their order. */
function redirectedBy(redirections: SimpleCommandNode["redirections"]): (write: Write) => Write {
  const changes = redirections.map(({ fd, fdVariable, operator, target }) => {
    if (fdVariable !== undefined || target.type !== "Word") throw new NotPlain();
    const to = target.parts.map(fixedText).join("");
    if (operator === "<" && (fd ?? 0) === 0 && to === nullDevice) return (write: Write) => write;
    const stream = (fd ?? 1) === 1 ? "out" : fd === 2 ? "err" : undefined;
    if (stream && operator === ">" && to === nullDevice)
      return (write: Write) => ({ ...write, [stream]: ignored });
    if (stream && operator === ">&" && (to === "1" || to === "2"))
      return (write: Write) => ({ ...write, [stream]: to === "1" ? write.out : write.err });
    throw new NotPlain();
  });
  return (write) => changes.reduce((now, change) => change(now), write);
}
