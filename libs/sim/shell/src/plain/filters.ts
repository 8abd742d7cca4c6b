/** The lines of a text; what follows the last newline is one, too. */
const linesOf = (text: string): readonly string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

/** What programs make of a text that is piped into them, by their command; any other is a matter for the whole shell. */
export const filters: ReadonlyMap<string, (text: string) => string> = new Map([
  [
    "cut -f1",
    (text: string) =>
      linesOf(text)
        .map((line) => `${line.split(/[\t\n]/)[0]}\n`)
        .join(""),
  ],
  ["wc -l", (text: string) => `${text.split("\n").length - 1}\n`],
]);
