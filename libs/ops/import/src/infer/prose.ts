/** What parts a sentence from what is around it. */
const edges = /[\n"'`{}<>|=;]/;
/** Words that no configuration has beside an address. */
const sentences = new Set(
  "a an and are ask at be had has have is it not of or our please see should that the this was we were when which your".split(
    " ",
  ),
);
/** Those that some configurations have, such as Caddy's `to cart:80`. */
const joining = new Set("by for from on to via with".split(" "));
/** Characters on each side that are read. */
const reach = 200;

/** Whether what stands between two places of a text is within a sentence, as people write for each other. */
export function isInProse(text: string, start: number, end: number): boolean {
  const before =
    text
      .slice(Math.max(0, start - reach), start)
      .split(edges)
      .at(-1) ?? "";
  const after = text.slice(end, end + reach).split(edges)[0] ?? "";
  const words = `${before} ${after}`
    .split(/\s+/)
    .flatMap((word) => /^\(?([a-z]+)[,.:)!?]*$/i.exec(word)?.[1]?.toLowerCase() ?? []);
  return (
    words.some((word) => sentences.has(word)) || (words.length > 1 && words.some((word) => joining.has(word)))
  );
}
