/** A member and its score; equal scores are ordered by member. */
export interface Scored {
  readonly member: string;
  readonly score: number;
}

/** Members in the order of their scores. */
export interface ScoredSet {
  readonly size: number;
  scoreOf(member: string): number | undefined;
  /** Adds it, or gives it another score. */
  set(member: string, score: number): void;
  /** Adds it unless it is there. */
  add(member: string, score: number): void;
  /** Gives it another score if it is there. */
  move(member: string, score: number): void;
  delete(member: string): void;
  clear(): void;
  /** The first with scores from `from` on, below `below`. */
  first(from: number, below: number): string | undefined;
  /** At most `most` with scores up to `score`, that one included. */
  upTo(score: number, most: number): string[];
  /** All, the lowest score first. */
  all(): readonly Scored[];
}

export function createScoredSet(): ScoredSet {
  const scores = new Map<string, number>();
  const sorted: Scored[] = [];

  /** Where it is, or would be put. */
  const placeOf = (score: number, member: string): number => {
    let low = 0;
    let high = sorted.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const found = sorted[middle];
      if (found && (found.score < score || (found.score === score && found.member < member)))
        low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const remove = (member: string): void => {
    const score = scores.get(member);
    if (score === undefined) return;
    scores.delete(member);
    sorted.splice(placeOf(score, member), 1);
  };
  const set = (member: string, score: number): void => {
    remove(member);
    scores.set(member, score);
    sorted.splice(placeOf(score, member), 0, { member, score });
  };
  return {
    get size() {
      return sorted.length;
    },
    scoreOf: (member) => scores.get(member),
    set,
    add: (member, score) => {
      if (!scores.has(member)) set(member, score);
    },
    move: (member, score) => {
      if (scores.has(member)) set(member, score);
    },
    delete: remove,
    clear: () => {
      scores.clear();
      sorted.length = 0;
    },
    first: (from, below) => {
      const found = sorted[placeOf(from, "")];
      return found && found.score < below ? found.member : undefined;
    },
    upTo: (score, most) => {
      const found: string[] = [];
      for (const one of sorted) {
        if (one.score > score || found.length >= most) break;
        found.push(one.member);
      }
      return found;
    },
    all: () => sorted,
  };
}
