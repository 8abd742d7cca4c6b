/** A text as one word of a shell script. */
export const shellWord = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
