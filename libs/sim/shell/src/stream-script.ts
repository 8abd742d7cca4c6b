/** Where commands of a streamed script write to instead of the shell's own stdout. */
export const liveOutput = "/dev/.stdout";

/** What a rewriting of single commands can't follow. */
const beyondUs = /[`(){}]|<<|>&|&>|\b(case|function|exec|eval|select)\b|\b(done|fi)\s*[|>]/;
const separator = /^(?:;|\n|&&|\|\|)/;
/** Words that no redirection may follow. */
const bare = /^(?:done|fi|do|then|else|for\s[\s\S]*)?$/;

/** A script cut at its separators, quotes kept together; undefined: it is not that simple. */
function pieces(script: string): readonly { readonly text: string; readonly end: string }[] | undefined {
  const found: { text: string; end: string }[] = [];
  let text = "";
  for (let at = 0; at < script.length; ) {
    const rest = script.slice(at);
    const quoted = /^(?:'[^']*'|"(?:\\[\s\S]|[^"\\])*"|\\[\s\S])/.exec(rest);
    const cut = separator.exec(rest);
    if (quoted || !cut) {
      const step = quoted?.[0] ?? rest.slice(0, 1);
      if (!quoted && /^[&#'"]/.test(step)) return undefined;
      text += step;
      at += step.length;
      continue;
    }
    found.push({ text, end: cut[0] });
    text = "";
    at += cut[0].length;
  }
  return [...found, { text, end: "" }];
}

const withoutQuotes = (text: string): string => text.replace(/'[^']*'|"(?:\\[\s\S]|[^"\\])*"/g, "");

/**
 * A script that waits, rewritten so that each command's output is seen when it is printed and not when the script
 * ends. Undefined for scripts that do not wait, and for those that are too intricate to be rewritten safely.
 */
export function streamed(script: string): string | undefined {
  if (!/\bsleep\b/.test(script) || beyondUs.test(withoutQuotes(script)) || /\$\(|`/.test(script))
    return undefined;
  return pieces(script)
    ?.map(({ text, end }) => {
      const command = text.trim();
      const own = withoutQuotes(command).includes(">");
      return bare.test(command) || own ? text + end : `${text.trimEnd()} >> ${liveOutput} ${end}`;
    })
    .join("");
}
