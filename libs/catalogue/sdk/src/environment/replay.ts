/** A line of a recorded load: a rate from a moment on, or one request. */
export interface ReplayRow {
  /** Seconds from its beginning. */
  readonly at: number;
  /** Requests per second from then on. */
  readonly rate?: number | undefined;
  /** What was asked for. */
  readonly path?: string | undefined;
}

/** A second of a recorded load. */
export interface ReplayedSecond {
  readonly perSecond: number;
  /** Path -> share of the requests, 0..1; undefined: the mix is the usual one. */
  readonly shares?: ReadonlyMap<string, number>;
}

/** Seconds until the first request at most: moments of a clock are no seconds since the beginning. */
const latestFirst = 60;
/** Lines of a file at most. */
const mostRows = 100_000;

const known = new WeakMap<readonly ReplayRow[], readonly ReplayedSecond[]>();

/** A recorded load second by second. The last rate is held as long as the one before it. */
export function replayedSeconds(rows: readonly ReplayRow[]): readonly ReplayedSecond[] {
  const made =
    known.get(rows) ?? (rows.some(({ rate }) => rate !== undefined) ? ratesOf(rows) : countsOf(rows));
  known.set(rows, made);
  return made;
}

/** What a recorded load is at a moment, s; it begins again at its end. */
export function replayedAt(rows: readonly ReplayRow[], seconds: number): ReplayedSecond {
  const all = replayedSeconds(rows);
  return all[Math.floor(seconds) % all.length] ?? { perSecond: 0 };
}

/** Requests per second, on average. */
export function meanRate(rows: readonly ReplayRow[]): number {
  const all = replayedSeconds(rows);
  return all.reduce((sum, { perSecond }) => sum + perSecond, 0) / Math.max(1, all.length);
}

function ratesOf(rows: readonly ReplayRow[]): readonly ReplayedSecond[] {
  const last = rows.at(-1)?.at ?? 0;
  const length = Math.max(1, Math.ceil(last + Math.max(1, last - (rows.at(-2)?.at ?? last))));
  let next = 0;
  let perSecond = 0;
  return Array.from({ length }, (_, second) => {
    for (let row = rows[next]; row && row.at <= second; row = rows[++next]) perSecond = row.rate ?? 0;
    return { perSecond };
  });
}

function countsOf(rows: readonly ReplayRow[]): readonly ReplayedSecond[] {
  const bySecond = Map.groupBy(rows, ({ at }) => Math.floor(at));
  const length = Math.floor(rows.at(-1)?.at ?? 0) + 1;
  return Array.from({ length }, (_, second) => {
    const some = bySecond.get(second) ?? [];
    const byPath = Map.groupBy(some, ({ path = "/" }) => path);
    const shares = new Map([...byPath].map(([path, { length }]) => [path, length / some.length]));
    return { perSecond: some.length, shares };
  });
}

/** Reads a recorded load: CSV with a head, or a JSON object a line. A text says what is wrong with it. */
export function readReplay(text: string): readonly ReplayRow[] | string {
  const lines = text
    .split(/\r?\n/)
    .map((line, index) => ({ line, number: index + 1 }))
    .filter(({ line }) => line.trim() !== "");
  if (lines.length > mostRows) return `expected at most ${mostRows} lines, not ${lines.length}`;
  const isJson = lines[0]?.line.trimStart().startsWith("{") === true;
  const head = isJson ? [] : (lines.shift()?.line ?? "").split(",").map((cell) => cell.trim());
  const [at, what = ""] = head;
  if (!isJson && (at !== "at" || !["rate", "path"].includes(what) || head.length !== 2))
    return "expected the head at,rate or at,path, or a JSON object a line";
  const rows: ReplayRow[] = [];
  for (const { line, number } of lines) {
    const row = isJson ? rowOfJson(line) : rowOfCells(line, what);
    const before = rows.at(-1);
    const wrong = wrongIn(row, before);
    if (!row || wrong !== undefined)
      return `line ${number}, ${JSON.stringify(line.slice(0, 80))}: expected ${wrong}`;
    rows.push(row);
  }
  if (rows.length === 0) return "expected a line at least";
  return meanRate(rows) > 0 ? rows : "expected a rate above 0 somewhere";
}

/** What is expected of a row instead; undefined: it is right. */
function wrongIn(row: ReplayRow | undefined, before: ReplayRow | undefined): string | undefined {
  if (!row)
    return `seconds from 0 to ${mostSeconds} since the beginning, and a rate from 0 to ${mostPerSecond} or a path that begins with /`;
  const isRate = row.rate !== undefined;
  if (!before) {
    if (isRate && row.at > 0) return "the rate from 0 seconds on, as the recording begins there";
    return row.at > latestFirst
      ? `a request in the first ${latestFirst} seconds: the recording begins at 0`
      : undefined;
  }
  if ((before.rate === undefined) === isRate) return "a rate or a path as in the lines before";
  if (isRate && row.at === before.at) return `seconds after ${before.at}, for which there is a rate already`;
  return row.at < before.at ? `seconds that do not go back behind ${before.at}` : undefined;
}

function rowOfCells(line: string, what: string): ReplayRow | undefined {
  const comma = line.indexOf(",");
  const cell = line.slice(comma + 1).trim();
  if (comma < 1 || cell === "") return undefined;
  return rowOf({ at: Number(line.slice(0, comma)), [what]: what === "rate" ? Number(cell) : unquoted(cell) });
}

/** Cells with a comma are in quotes. */
const unquoted = (cell: string): string =>
  /^".*"$/.test(cell) ? cell.slice(1, -1).replaceAll('""', '"') : cell;

function rowOfJson(line: string): ReplayRow | undefined {
  try {
    return rowOf(JSON.parse(line));
  } catch {
    return undefined;
  }
}

const mostSeconds = 86_400;
const mostPerSecond = 100_000;

function rowOf(given: unknown): ReplayRow | undefined {
  if (typeof given !== "object" || given === null) return undefined;
  const { at, rate, path } = given as Record<string, unknown>;
  if (typeof at !== "number" || !(at >= 0 && at <= mostSeconds)) return undefined;
  if (typeof path === "string" && path.startsWith("/") && rate === undefined) return { at, path };
  if (typeof rate === "number" && rate >= 0 && rate <= mostPerSecond && path === undefined)
    return { at, rate };
  return undefined;
}
