/** Command-line options in getopt's manner. */
export interface Options {
  readonly flags: ReadonlySet<string>;
  readonly values: ReadonlyMap<string, string>;
  /** All options with a value in their order: one may be given several times. */
  readonly pairs: readonly (readonly [name: string, value: string])[];
  readonly rest: readonly string[];
  /** First option that the program does not have. */
  readonly unknown: string | undefined;
}

/**
 * Parses short options: `flags` without and `valued` with a value (`-c 3`, `-c3`), combined flags (`-zv`), `--` ends
 * them. Long options are given by name in the same lists, with their dashes left out.
 */
export function parseOptions(
  args: readonly string[],
  flags: readonly string[],
  valued: readonly string[],
): Options {
  const found = { flags: new Set<string>(), pairs: [] as [string, string][], rest: [] as string[] };
  let unknown: string | undefined;
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] ?? "";
    if (arg === "--") {
      found.rest.push(...args.slice(index + 1));
      break;
    }
    if (!arg.startsWith("-") || arg === "-") {
      found.rest.push(arg);
      continue;
    }
    if (arg.startsWith("--")) {
      const [name = "", value] = arg.slice(2).split(/=(.*)/s);
      if (flags.includes(name)) found.flags.add(name);
      else if (valued.includes(name)) found.pairs.push([name, value ?? args[++index] ?? ""]);
      else unknown ??= arg;
      continue;
    }
    for (let at = 1; at < arg.length; at++) {
      const letter = arg[at] ?? "";
      if (flags.includes(letter)) found.flags.add(letter);
      else if (valued.includes(letter)) {
        found.pairs.push([letter, arg.slice(at + 1) || (args[++index] ?? "")]);
        break;
      } else unknown ??= letter;
    }
  }
  return { ...found, values: new Map(found.pairs), unknown };
}
