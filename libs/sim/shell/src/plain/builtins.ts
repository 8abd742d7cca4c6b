import { du, find } from "./disk-use.ts";
import { ignored, type PlainShell, type ProgramResult, type Programs, printed, type Write } from "./shell.ts";
import { builtIn } from "./shell-words.ts";

/** Undefined: with these arguments it is a matter for the whole shell. */
type Builtin = (shell: PlainShell, args: readonly string[], write: Write) => Result | Promise<Result>;

const ended = (yes: boolean): ProgramResult => ({ out: "", err: "", code: yes ? 0 : 1 });

const whole = /^-?\d{1,9}$/;
const comparisons = new Map<string, (left: number, right: number) => boolean>([
  ["-eq", (left, right) => left === right],
  ["-ne", (left, right) => left !== right],
  ["-gt", (left, right) => left > right],
  ["-ge", (left, right) => left >= right],
  ["-lt", (left, right) => left < right],
  ["-le", (left, right) => left <= right],
]);

type Result = ProgramResult | undefined;

const test = (shell: PlainShell, args: readonly string[]): Result | Promise<Result> => {
  const [first = "", operator = "", last = ""] = args;
  if (args.length === 2 && (first === "-n" || first === "-z"))
    return ended((first === "-n") === (operator !== ""));
  if (args.length === 2) return testFile(shell, first, operator);
  if (args.length !== 3) return undefined;
  if (operator === "=") return ended(first === last);
  if (operator === "!=") return ended(first !== last);
  const compare = comparisons.get(operator);
  return compare && whole.test(first) && whole.test(last)
    ? ended(compare(Number(first), Number(last)))
    : undefined;
};

/** Root can read every file that there is. */
async function testFile({ programs }: PlainShell, option: string, name: string): Promise<Result> {
  if (!["-e", "-r", "-f", "-d"].includes(option)) return undefined;
  const path = programs.files.resolvePath(programs.cwd, name);
  if (!(await programs.files.exists(path))) return ended(false);
  if (option === "-e") return ended(true);
  const { isFile, isDirectory } = await programs.files.stat(path);
  return ended(option === "-r" || (option === "-f" ? isFile : isDirectory));
}

/** What the escapes of a format become; a format with others, or with directives, is for the whole shell. */
const escapes = /\\(?:([0-7]{1,3})|([nt\\]))|[\\%]/g;

function printf(_: PlainShell, args: readonly string[]): Result {
  const [format] = args;
  if (format === undefined || args.length !== 1 || format.startsWith("-")) return undefined;
  let plain = true;
  const text = format.replace(escapes, (_token, octal?: string, letter?: string) => {
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 255);
    if (letter !== undefined) return { n: "\n", t: "\t" }[letter] ?? "\\";
    plain = false;
    return "";
  });
  return plain ? printed(text) : undefined;
}

/** Of one link; what is no link is a matter for the whole shell, unless what it says of that is seen by none. */
async function readlink(
  { programs }: PlainShell,
  [name, ...more]: readonly string[],
  { err }: Write,
): Promise<Result> {
  if (name === undefined || more.length > 0 || name.startsWith("-") || !programs.has("readlink"))
    return undefined;
  const target = await programs.files
    .readlink(programs.files.resolvePath(programs.cwd, name))
    .catch(() => undefined);
  if (target === undefined) return err === ignored ? ended(false) : undefined;
  return printed(`${Buffer.from(target).toString("latin1")}\n`);
}

/** The first bytes of one file; where there is none, only if what it says of that is seen by none. */
async function head({ programs }: PlainShell, args: readonly string[], { err }: Write): Promise<Result> {
  const [option, count = "", name = ""] = args;
  const plain = args.length === 3 && option === "-c" && /^\d{1,6}$/.test(count) && /^[^-]/.test(name);
  if (!plain || !programs.has("head")) return undefined;
  const path = programs.files.resolvePath(programs.cwd, name);
  const bytes = await programs.files.readFileBuffer(path).catch(() => undefined);
  if (!bytes) return err === ignored && !(await programs.files.exists(path)) ? ended(false) : undefined;
  return printed(Buffer.from(bytes).subarray(0, Number(count)).toString("latin1"));
}

/** `command -v`. What is in the image and a word of the shell, too, is a matter for the whole shell. */
function whereIs(name: string, isOfTheShell: boolean, programs: Programs, out: Write["out"]): Result {
  if (out === ignored) return ended(isOfTheShell || programs.has(name));
  if (isOfTheShell) return printed(`${name}\n`);
  if (builtIn.includes(name) || name.includes("/")) return undefined;
  return programs.has(name) ? printed(`/usr/bin/${name}\n`) : ended(false);
}

/** Of the shell itself, and not among what it runs as programs. */
const words: ReadonlySet<string> = new Set([":", "command"]);

/** What probes use most; all else is run by the whole shell. */
export const builtins: ReadonlyMap<string, Builtin> = new Map<string, Builtin>([
  [":", () => ended(true)],
  ["[", (shell, args) => (args.at(-1) === "]" ? test(shell, args.slice(0, -1)) : undefined)],
  ["test", test],
  ["printf", printf],
  ["readlink", readlink],
  ["head", head],
  ["du", du],
  ["find", find],
  ["echo", (_, args) => (args[0]?.startsWith("-") ? undefined : printed(`${args.join(" ")}\n`))],
  [
    "command",
    ({ functions, programs }, [option, name = "", ...rest], { out }) =>
      option === "-v" && rest.length === 0
        ? whereIs(name, functions.has(name) || words.has(name), programs, out)
        : undefined,
  ],
  [
    "seq",
    ({ programs }, args) => {
      const [from = 1, to = 0] = args.length === 1 ? [1, Number(args[0])] : args.map(Number);
      const plain = args.length > 0 && args.length < 3 && args.every((arg) => /^\d{1,4}$/.test(arg));
      if (!plain || !programs.has("seq")) return undefined;
      return printed(
        Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => `${from + at}\n`).join(""),
      );
    },
  ],
]);
