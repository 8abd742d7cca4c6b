/** The options and operands that a program may be started with; every other one is refused, abbreviations too. */
export interface ClosedOptions {
  /** Letters of options without a value. They may stand together: `-sS`. */
  readonly flags?: string;
  /** Letters of options whose value, if they have one, is joined to them: `-psecret`. */
  readonly joined?: string;
  /** Letters and long names of options with a value, and what it may be. A long one takes `--name=value` and `--name value`. */
  readonly values?: Readonly<Record<string, RegExp>>;
  /** Long options without a value, separated by spaces. */
  readonly long?: string;
  /** What every other word must be. Default: none is allowed. */
  readonly operands?: RegExp;
  /** How many of them there may be. */
  readonly mostOperands?: number;
}

/** Whether all arguments are among those that a program may have. */
export function fits(args: readonly string[], options: ClosedOptions): boolean {
  return readArguments(args, options) !== undefined;
}

/** What a program was started with. */
export interface Arguments {
  /** Options with a value, in order: letter or long name, and value. */
  readonly values: readonly (readonly [name: string, value: string])[];
  readonly operands: readonly string[];
}

/** The arguments of a program; undefined when one of them is not among those that it may have. */
export function readArguments(args: readonly string[], options: ClosedOptions): Arguments | undefined {
  const {
    flags = "",
    joined: open = "",
    values = {},
    long = "",
    operands,
    mostOperands = Number.POSITIVE_INFINITY,
  } = options;
  const longNames = long.split(" ");
  const allows = (name: string, value: string | undefined): boolean =>
    value !== undefined && Object.hasOwn(values, name) && (values[name]?.test(value) ?? false);
  const found: [string, string][] = [];
  const keep = (name: string, value: string | undefined): boolean => {
    if (!allows(name, value)) return false;
    found.push([name, value ?? ""]);
    return true;
  };
  const given: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? "";
    if (arg === "-" || !arg.startsWith("-")) {
      given.push(arg);
      continue;
    }
    if (arg.startsWith("--")) {
      const [, name = "", joined] = /^--([^=]+)(?:=([\s\S]*))?$/.exec(arg) ?? [];
      if (joined === undefined && longNames.includes(name)) continue;
      if (!keep(name, joined ?? args[++at])) return undefined;
      continue;
    }
    const letters = arg.slice(1);
    const first = [...letters].findIndex((letter) => !flags.includes(letter));
    if (first < 0 || open.includes(letters.charAt(first))) continue;
    const joined = letters.slice(first + 1);
    if (!keep(letters.charAt(first), joined === "" ? args[++at] : joined)) return undefined;
  }
  const areAllowed =
    given.length <= mostOperands && given.every((operand) => operands?.test(operand) ?? false);
  return areAllowed ? { values: found, operands: given } : undefined;
}
