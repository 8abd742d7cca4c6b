/** Programs that start another one, which their arguments name, with their options that take the next word as value. */
const withValue = {
  env: /^(-[uC]|--unset|--chdir)$/,
  timeout: /^(-[kst]|--kill-after|--signal)$/,
  xargs: /^(-[IdnPLsEa]|--(replace|delimiter|max-(args|procs|lines|chars)|arg-file))$/,
} as const;
type Wrapper = keyof typeof withValue;

/** Whether a program starts another one that its arguments name. */
export function isWrapper(program: string): program is Wrapper {
  return Object.hasOwn(withValue, program);
}

/**
 * The words of the program that `env`, `timeout` or `xargs` starts; empty: it starts none. Undefined: that cannot be seen,
 * because `env -S` reads them from a text.
 */
export function wrappedProgram(program: Wrapper, args: readonly string[]): readonly string[] | undefined {
  let at = 0;
  for (; args[at]?.startsWith("-"); at++) {
    const option = args[at] ?? "";
    if (program === "env" && /^(-[a-zA-Z0]*S|--split-string)/.test(option)) return undefined;
    if (option === "--") return afterFirst(program, args.slice(at + 1));
    if (withValue[program].test(option)) at++;
  }
  return afterFirst(program, args.slice(at));
}

/** Without the assignments of `env` and the duration of `timeout`. */
function afterFirst(program: Wrapper, words: readonly string[]): readonly string[] {
  if (program === "timeout") return /^[\d.]/.test(words[0] ?? "") ? words.slice(1) : words;
  if (program !== "env") return words;
  const start = words.findIndex((word) => !/^\w+=/.test(word));
  return start < 0 ? [] : words.slice(start);
}
