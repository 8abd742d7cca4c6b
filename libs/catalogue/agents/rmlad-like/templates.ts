/** Finds the template of a line; the same number for lines alike. */
export type Templates = (line: string) => number;

/** As in Drain's own paper: tokens that decide by themselves, likeness of a template, branches of one place. */
const settings = { prefix: 2, similarity: 0.4, children: 100 };

const wildcard = "<*>";

interface Template {
  readonly number: number;
  tokens: string[];
}

/** A small Drain (He et al. 2017): lines of one length and beginning are compared token by token. */
export function createTemplates(): Templates {
  const leaves = new Map<string, Template[]>();
  const branches = new Map<number, Set<string>>();
  let count = 0;
  return (line) => {
    const tokens = line
      .trim()
      .split(/\s+/)
      .map((token) => (/\d/.test(token) ? wildcard : token));
    const known = branches.get(tokens.length) ?? new Set<string>();
    branches.set(tokens.length, known);
    const beginning = tokens.slice(0, settings.prefix).join(" ");
    const prefix = known.has(beginning) || known.size < settings.children ? beginning : wildcard;
    known.add(prefix);
    const key = `${tokens.length} ${prefix}`;
    const leaf = leaves.get(key) ?? [];
    leaves.set(key, leaf);
    const [best] = leaf
      .map((template) => ({ template, likeness: likenessOf(template.tokens, tokens) }))
      .sort((a, b) => b.likeness - a.likeness);
    if (best && best.likeness >= settings.similarity) {
      best.template.tokens = best.template.tokens.map((token, i) => (token === tokens[i] ? token : wildcard));
      return best.template.number;
    }
    leaf.push({ number: count, tokens });
    return count++;
  };
}

/** Share of the tokens that are the same. */
const likenessOf = (a: readonly string[], b: readonly string[]): number =>
  a.filter((token, i) => token === b[i]).length / a.length;
