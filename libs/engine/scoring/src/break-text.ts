/** Where a line may end: behind a space that is not part of `12 %`, or behind a mark that is not inside of a number. */
const breaks = /(?<= )(?!%)|(?<=[-/_,;:@=.](?!\d))(?=[^ ])/;
/** A number as a whole, with its sign, fractions, times and shares. */
const wholeNumber = /[-+]?\d[\d.,:/]*(?: ?%)?/g;

/** The text in lines of at most `width` characters, its own line ends kept. Words longer than a line are broken, numbers not. */
export function breakText(text: string, width: number): string[] {
  return text.split("\n").flatMap((line) => breakLine(line, width));
}

/** A paragraph whose further lines begin with `indent` spaces, in lines of at most `width` characters. */
export function paragraph(text: string, width: number, indent = 0): string {
  return breakText(text, width - indent).join(`\n${" ".repeat(indent)}`);
}

function breakLine(text: string, width: number): string[] {
  if (text.length <= width) return [text];
  const lines: string[] = [];
  let line = "";
  for (const piece of text.split(breaks).flatMap((one) => splitPiece(one, width))) {
    if (line !== "" && `${line}${piece}`.trimEnd().length > width) {
      lines.push(line.trimEnd());
      line = "";
    }
    line += piece;
  }
  return [...lines, line.trimEnd()];
}

/** A piece without any place to break, cut to lines. */
function splitPiece(piece: string, width: number): string[] {
  if (piece.trimEnd().length <= width) return [piece];
  const numbers = [...piece.matchAll(wholeNumber)].map(({ index, 0: found }) => [
    index,
    index + found.length,
  ]);
  const parts: string[] = [];
  for (let from = 0; from < piece.length; ) {
    const wanted = from + width;
    const inside = numbers.find(([start = 0, end = 0]) => start < wanted && wanted < end);
    const start = inside?.[0] ?? wanted;
    const to = inside === undefined ? wanted : start > from ? start : (inside[1] ?? wanted);
    parts.push(piece.slice(from, to));
    from = to;
  }
  return parts;
}

/** Length of the longest part without a place to break: at most `width`, or a number that is longer. */
export function longestPiece(text: string, width: number): number {
  const pieces = text.split("\n").flatMap((line) => line.split(breaks));
  return Math.max(0, ...pieces.flatMap((one) => splitPiece(one, width)).map((one) => one.trimEnd().length));
}
