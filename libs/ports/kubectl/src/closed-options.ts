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
      if (!allows(name, joined ?? args[++at])) return false;
      continue;
    }
    const letters = arg.slice(1);
    const first = [...letters].findIndex((letter) => !flags.includes(letter));
    if (first < 0 || open.includes(letters.charAt(first))) continue;
    const joined = letters.slice(first + 1);
    if (!allows(letters.charAt(first), joined === "" ? args[++at] : joined)) return false;
  }
  return given.length <= mostOperands && given.every((operand) => operands?.test(operand) ?? false);
}
