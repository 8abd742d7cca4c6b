import { cohensKappa, type Interval, krippendorffsAlpha, wilsonInterval } from "@microremed/scoring";
import { automaticOrder } from "./automatic-order.ts";
import type { Choice, Pair, Rating } from "./pair.ts";
import { lastRatings, majority } from "./ratings.ts";

/** How often two raters, or a rater and the automatic order, say the same. */
export interface RaterAgreement {
  readonly raters: readonly [string, string];
  /** Pairs that both have rated. */
  readonly of: number;
  /** Share on which they say the same; null: of nothing. */
  readonly agreement: number | null;
  /** 95 %, Wilson. */
  readonly interval: Interval | null;
  /** Cohen's kappa over left, right and tie; null: undefined. */
  readonly kappa: number | null;
}

/** What raters say of the pairs, among themselves and beside the measurements. */
export interface AgreementReport {
  readonly pairs: number;
  /** Pairs with at least one rating. */
  readonly rated: number;
  readonly raters: readonly { readonly rater: string; readonly rated: number; readonly ties: number }[];
  readonly between: readonly RaterAgreement[];
  /** Krippendorff's alpha, nominal, over all raters; null: no pair has two ratings, or all ratings are the same. */
  readonly alpha: number | null;
  /** Each rater, and the majority of all, beside the automatic order. */
  readonly automatic: readonly RaterAgreement[];
  /** The same without pairs that one of both calls a tie: how often they prefer the same side. */
  readonly automaticDecided: readonly RaterAgreement[];
}

/** Names of those who are no person in the tables. */
const automaticRater = "automatic order";
const allRaters = "majority";

type Said = ReadonlyMap<string, Choice>;

/** Of pairs and all ratings ever given; a rating of a pair that is not there does not count. */
export function agreementReport(pairs: readonly Pair[], ratings: readonly Rating[]): AgreementReport {
  const known = new Set(pairs.map(({ id }) => id));
  const last = lastRatings(ratings).filter(({ pair }) => known.has(pair));
  const byPair = Map.groupBy(last, ({ pair }) => pair);
  const byRater = [...Map.groupBy(last, ({ rater }) => rater)].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const said = byRater.map(([rater, of]) => ({ rater, said: saidBy(of) }));
  const automatic: Said = new Map(pairs.map((pair) => [pair.id, automaticOrder(pair).choice]));
  const all: Said = new Map([...byPair].map(([pair, of]) => [pair, majority(of)]));
  const people = said.length > 1 ? [...said, { rater: allRaters, said: all }] : said;
  const beside = (isCounted: (a: Choice, b: Choice) => boolean): RaterAgreement[] =>
    people.map((one) => agreementOf([one.rater, automaticRater], one.said, automatic, isCounted));
  return {
    pairs: pairs.length,
    rated: byPair.size,
    raters: byRater.map(([rater, of]) => ({
      ...{ rater, rated: of.length },
      ties: of.filter(({ choice }) => choice === "tie").length,
    })),
    between: said.flatMap((one, at) =>
      said.slice(at + 1).map((other) => agreementOf([one.rater, other.rater], one.said, other.said)),
    ),
    alpha: krippendorffsAlpha([...byPair.values()].map((of) => of.map(({ choice }) => choice))),
    automatic: beside(() => true),
    automaticDecided: beside((a, b) => a !== "tie" && b !== "tie"),
  };
}

const saidBy = (ratings: readonly Rating[]): Said =>
  new Map(ratings.map(({ pair, choice }) => [pair, choice]));

function agreementOf(
  raters: readonly [string, string],
  one: Said,
  other: Said,
  isCounted: (a: Choice, b: Choice) => boolean = () => true,
): RaterAgreement {
  const both = [...one].flatMap(([pair, a]): [Choice, Choice][] => {
    const b = other.get(pair);
    return b !== undefined && isCounted(a, b) ? [[a, b]] : [];
  });
  const same = both.filter(([a, b]) => a === b).length;
  return {
    ...{ raters, of: both.length, agreement: both.length === 0 ? null : same / both.length },
    interval: wilsonInterval(same, both.length) ?? null,
    kappa: cohensKappa(both),
  };
}
