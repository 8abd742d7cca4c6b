import { visibleText } from "@microremed/core";

/** Where a command writes: documents to stdout, everything for people to stderr. */
export interface Terminal {
  /** One document; nothing else ever goes to stdout. */
  print(text: string): void;
  /** A line for a person. */
  say(text: string): void;
  /** A line that the next one replaces; dropped when stderr is no terminal. */
  status(text: string): void;
  readonly interactive: boolean;
  paint(colour: "red" | "green" | "yellow" | "dim" | "bold", text: string): string;
}

const codes = { red: 31, green: 32, yellow: 33, dim: 2, bold: 1 } as const;

/**
 * A terminal over two streams. Control characters in the text are made visible; colours need a stderr that is a
 * terminal.
 */
export function createTerminal(
  stdout: NodeJS.WriteStream,
  stderr: NodeJS.WriteStream,
  noColour: boolean,
): Terminal {
  const interactive = stderr.isTTY === true;
  let statusShown = false;
  const clear = () => {
    if (statusShown) stderr.write("\r\u001b[2K");
    statusShown = false;
  };
  return {
    interactive,
    print: (text) => {
      clear();
      const shown = visibleText(text);
      stdout.write(shown.endsWith("\n") ? shown : `${shown}\n`);
    },
    say: (text) => {
      clear();
      stderr.write(`${visibleText(text)}\n`);
    },
    status: (text) => {
      if (!interactive) return;
      clear();
      stderr.write(visibleText(text).slice(0, Math.max(20, (stderr.columns ?? 80) - 1)));
      statusShown = true;
    },
    paint: (colour, text) => (interactive && !noColour ? `\u001b[${codes[colour]}m${text}\u001b[0m` : text),
  };
}
