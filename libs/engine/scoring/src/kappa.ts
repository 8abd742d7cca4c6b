/**
 * Cohen's kappa (1960) of what two raters say of the same things, in any number of categories: (p - e) / (1 - e) with the share p
 * on which they agree and e, what two independent raters with the same shares would agree on. Null: of nothing, or both always
 * say one and the same.
 */
export function cohensKappa(said: readonly (readonly [string, string])[]): number | null {
  const of = said.length;
  if (of === 0) return null;
  const share = (side: 0 | 1, category: string): number =>
    said.filter((one) => one[side] === category).length / of;
  const categories = new Set(said.flat());
  const byChance = [...categories].reduce((sum, one) => sum + share(0, one) * share(1, one), 0);
  if (byChance === 1) return null;
  return (said.filter(([a, b]) => a === b).length / of - byChance) / (1 - byChance);
}

/**
 * Krippendorff's alpha for nominal categories: 1 - observed / expected disagreement, of any number of raters who need not rate
 * everything (Krippendorff, "Computing Krippendorff's alpha-reliability", 2011). Each unit has the categories that its raters gave
 * it; units with fewer than two say nothing. Null: no unit has two, or all ratings are the same.
 */
export function krippendorffsAlpha(units: readonly (readonly string[])[]): number | null {
  const several = units.filter(({ length }) => length > 1);
  const all = several.flat();
  const totals = countsOf(all);
  const differing = (counts: ReadonlyMap<string, number>, of: number): number =>
    [...counts.values()].reduce((sum, count) => sum + count * (of - count), 0);
  const expected = differing(totals, all.length);
  if (expected === 0) return null;
  const observed = several.reduce(
    (sum, unit) => sum + differing(countsOf(unit), unit.length) / (unit.length - 1),
    0,
  );
  return 1 - ((all.length - 1) * observed) / expected;
}

function countsOf(items: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const one of items) counts.set(one, (counts.get(one) ?? 0) + 1);
  return counts;
}
