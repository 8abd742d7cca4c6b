/** Splits a command line at blanks as a shell does, with single and double quotes; nothing is expanded. */
export function splitCommand(line: string): string[] {
  const words = line.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? [];
  return words.map((word) =>
    word.replace(/'([^']*)'|"([^"]*)"/g, (_all, single, double) => single ?? double),
  );
}
