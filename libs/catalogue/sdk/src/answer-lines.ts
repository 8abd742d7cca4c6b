/** Lines of an answer, and what follows when not all of them fit. */
interface Lines {
  readonly head: string;
  readonly lines: readonly string[];
  /** How many there were before the caller took some out. Default: as many as `lines`. */
  readonly of?: number;
  /** Most characters of the answer. */
  readonly max: number;
  /** How to ask for less or for the rest, in words. */
  readonly narrow: string;
  /** Which lines stay when not all fit. Default: the first. */
  readonly keep?: "first" | "last";
}

/** As many whole lines as fit, in their order; where some are left out, a line says how many and how to ask for them. */
export function answerLines({ head, lines, of = lines.length, max, narrow, keep = "first" }: Lines): string {
  const kept: string[] = [];
  let length = head.length + narrow.length + 80;
  for (const line of keep === "first" ? lines : lines.toReversed()) {
    length += line.length + 1;
    if (length > max) break;
    kept.push(line);
  }
  const left = of - kept.length;
  const note = left > 0 ? [`[${left} of ${of} left out: ${narrow}]`] : [];
  return [head, ...(keep === "first" ? [...kept, ...note] : [...note, ...kept.reverse()])].join("\n");
}
