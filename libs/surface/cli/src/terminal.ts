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
  /** Characters in a line of stdout, which tables fit; programs read `--output json`. */
  readonly width: number;
  paint(colour: "red" | "green" | "yellow" | "dim" | "bold", text: string): string;
}

/** Of a terminal that does not say, a pipe and a file. */
const usualWidth = 80;
/** A narrower or wider terminal is taken for this. */
const [least, most] = [40, 10_000];

/** COLUMNS where it is set to a number, else the terminal's own width. */
function widthOf({ columns }: Partial<Pick<NodeJS.WriteStream, "columns">>, wanted = ""): number {
  const width = /^\d{1,6}$/.test(wanted) ? Number(wanted) : columns || usualWidth;
  return Math.min(most, Math.max(least, width));
}

const codes = { red: 31, green: 32, yellow: 33, dim: 2, bold: 1 } as const;

/**
 * A terminal over two streams. Control characters in the text are made visible; colours need a stderr that is a
 * terminal.
 */
export function createTerminal(
  stdout: NodeJS.WriteStream,
  stderr: NodeJS.WriteStream,
  env: NodeJS.ProcessEnv,
): Terminal {
  const interactive = stderr.isTTY === true;
  let statusShown = false;
  const clear = () => {
    if (statusShown) stderr.write("\r\u001b[2K");
    statusShown = false;
  };
  return {
    interactive,
    width: widthOf(stdout, env["COLUMNS"]),
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
    paint: (colour, text) =>
      interactive && !env["NO_COLOR"] ? `\u001b[${codes[colour]}m${text}\u001b[0m` : text,
  };
}
