/** One simple command of a script: its words with quotes taken off, and the files that its output is sent to. */
export interface ShellCommand {
  readonly words: readonly string[];
  readonly writesTo: readonly string[];
}

/**
 * The simple commands of a shell script in order, those inside `$(...)` and backticks included.
 * A reading aid, not a shell: variables stay as written. Undefined when quotes or parentheses do not balance.
 */
export function shellCommands(script: string): ShellCommand[] | undefined {
  const found: ShellCommand[] = [];
  let words: string[] = [];
  let writesTo: string[] = [];
  let word: string | undefined;
  let redirecting = false;

  const endWord = (): void => {
    if (word === undefined) return;
    (redirecting ? writesTo : words).push(word);
    redirecting = false;
    word = undefined;
  };
  const endCommand = (): void => {
    endWord();
    if (words.length > 0 || writesTo.length > 0) found.push({ words, writesTo });
    words = [];
    writesTo = [];
    redirecting = false;
  };
  const substitute = (inner: string): boolean => {
    const commands = shellCommands(inner);
    if (!commands) return false;
    found.push(...commands);
    word = `${word ?? ""}$()`;
    return true;
  };

  for (let at = 0; at < script.length; at++) {
    const char = script.charAt(at);
    if (char === "\\") {
      word = (word ?? "") + script.charAt(++at);
    } else if (char === "'") {
      const end = script.indexOf("'", at + 1);
      if (end < 0) return undefined;
      word = (word ?? "") + script.slice(at + 1, end);
      at = end;
    } else if (char === '"') {
      const end = endOfDoubleQuotes(script, at + 1);
      if (end < 0) return undefined;
      const inner = script.slice(at + 1, end);
      for (const part of substitutionsIn(inner)) if (!substitute(part)) return undefined;
      word = (word ?? "") + inner.replace(/\\(["\\$`])/g, "$1");
      at = end;
    } else if (char === "`") {
      const end = script.indexOf("`", at + 1);
      if (end < 0 || !substitute(script.slice(at + 1, end))) return undefined;
      at = end;
    } else if (script.startsWith("$((", at)) {
      const end = script.indexOf("))", at);
      if (end < 0) return undefined;
      word = `${word ?? ""}0`;
      at = end + 1;
    } else if (script.startsWith("$(", at)) {
      const end = endOfParenthesis(script, at + 2);
      if (end < 0 || !substitute(script.slice(at + 2, end))) return undefined;
      at = end;
    } else if (char === "#" && word === undefined) {
      const end = script.indexOf("\n", at);
      at = end < 0 ? script.length : end - 1;
    } else if (char === ">") {
      if (word !== undefined && /^\d*$/.test(word)) word = undefined;
      endWord();
      if (script.charAt(at + 1) === ">") at++;
      redirecting = true;
      if (script.charAt(at + 1) === "&") word = script.charAt(++at);
    } else if (char === "&" && script.charAt(at + 1) === ">") {
      endWord();
    } else if (";|&\n()".includes(char)) {
      endCommand();
    } else if (/\s/.test(char)) {
      endWord();
    } else {
      word = (word ?? "") + char;
    }
  }
  endCommand();
  return found;
}

function endOfDoubleQuotes(script: string, from: number): number {
  for (let at = from; at < script.length; at++) {
    const char = script.charAt(at);
    if (char === "\\") at++;
    else if (char === '"') return at;
    else if (script.startsWith("$(", at)) {
      at = endOfParenthesis(script, at + 2);
      if (at < 0) return -1;
    }
  }
  return -1;
}

function endOfParenthesis(script: string, from: number): number {
  let depth = 1;
  for (let at = from; at < script.length; at++) {
    const char = script.charAt(at);
    if (char === "\\") at++;
    else if (char === "'") {
      at = script.indexOf("'", at + 1);
      if (at < 0) return -1;
    } else if (char === "(") depth++;
    else if (char === ")" && --depth === 0) return at;
  }
  return -1;
}

/** The insides of `$(...)` and backticks in a double-quoted text. */
function substitutionsIn(quoted: string): string[] {
  const parts: string[] = [];
  for (let at = 0; at < quoted.length; at++) {
    if (quoted.charAt(at) === "\\") {
      at++;
    } else if (quoted.startsWith("$(", at) && !quoted.startsWith("$((", at)) {
      const end = endOfParenthesis(quoted, at + 2);
      if (end < 0) return parts;
      parts.push(quoted.slice(at + 2, end));
      at = end;
    } else if (quoted.charAt(at) === "`") {
      const end = quoted.indexOf("`", at + 1);
      if (end < 0) return parts;
      parts.push(quoted.slice(at + 1, end));
      at = end;
    }
  }
  return parts;
}
