import { durationError } from "./go-duration.ts";

const ranges = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 7],
] as const;

const macros: Readonly<Record<string, string>> = {
  "@yearly": "0 0 1 1 *",
  "@annually": "0 0 1 1 *",
  "@monthly": "0 0 1 * *",
  "@weekly": "0 0 * * 0",
  "@daily": "0 0 * * *",
  "@midnight": "0 0 * * *",
  "@hourly": "0 * * * *",
};

function matchesField(field: string, value: number, [low, high]: readonly [number, number]): boolean {
  return field.split(",").some((part) => {
    const match = /^(\*|(\d+)(?:-(\d+))?)(?:\/(\d+))?$/.exec(part);
    if (!match) return false;
    const from = match[2] === undefined ? low : Number(match[2]);
    const open = match[1] === "*" || match[4] !== undefined;
    const to = match[3] !== undefined ? Number(match[3]) : open ? high : from;
    return value >= from && value <= to && (value - from) % Number(match[4] ?? 1) === 0;
  });
}

const names: readonly (readonly string[])[] = [
  ...[[], [], []],
  ["", "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"],
  ["sun", "mon", "tue", "wed", "thu", "fri", "sat"],
];

/** The fields of a schedule or a macro, with `*` for `?` and numbers for the names of months and days. */
const fieldsOf = (schedule: string): string[] =>
  (Object.hasOwn(macros, schedule) ? (macros[schedule] ?? "") : schedule)
    .trim()
    .split(/\s+/)
    .map((field, i) =>
      field.replaceAll("?", "*").replace(/[A-Za-z]+/g, (word) => {
        const number = names[i]?.indexOf(word.toLowerCase()) ?? -1;
        return number < 0 ? word : String(number);
      }),
    );

/**
 * What is wrong with a schedule of a CronJob, in the words of the API server's parser; undefined: nothing. Five fields, a macro or
 * `@every <duration>`.
 */
export function cronError(schedule: string): string | undefined {
  if (Object.hasOwn(macros, schedule)) return undefined;
  if (schedule.startsWith("@every ")) {
    const wrong = durationError(schedule.slice("@every ".length));
    return wrong === undefined ? undefined : `failed to parse duration ${schedule}: ${wrong}`;
  }
  if (schedule.startsWith("@")) return `unrecognized descriptor: ${schedule}`;
  const written = schedule.trim().split(/\s+/);
  if (written.length !== 5)
    return `expected exactly 5 fields, found ${written.length}: [${written.join(" ")}]`;
  const problems = fieldsOf(schedule).flatMap((field, i) =>
    // No 7 is a Sunday there.
    field.split(",").flatMap((part) => partError(part, i === 4 ? [0, 6] : (ranges[i] ?? [0, 0])) ?? []),
  );
  return problems[0];
}

function partError(part: string, [low, high]: readonly [number, number]): string | undefined {
  const [range = "", step, ...moreSteps] = part.split("/");
  const [first = "", last, ...more] = range.split("-");
  if (more.length > 0) return `too many hyphens: ${part}`;
  if (moreSteps.length > 0) return `too many slashes: ${part}`;
  const numbers = [...(first === "*" ? [] : [first, last]), step].filter((one) => one !== undefined);
  const bad = numbers.find((one) => !/^\d{1,9}$/.test(one));
  if (bad !== undefined)
    return `failed to parse int from ${bad}: strconv.Atoi: parsing ${JSON.stringify(bad)}: invalid syntax`;
  const from = first === "*" ? low : Number(first);
  const to = first === "*" ? high : last !== undefined ? Number(last) : step !== undefined ? high : from;
  if (from < low) return `beginning of range (${from}) below minimum (${low}): ${part}`;
  if (to > high) return `end of range (${to}) above maximum (${high}): ${part}`;
  if (from > to) return `beginning of range (${from}) beyond end of range (${to}): ${part}`;
  return step !== undefined && Number(step) === 0
    ? `step of range should be a positive number: ${part}`
    : undefined;
}

/** Whether a cron schedule (five fields or a macro, UTC) names the minute that holds `at`. */
export function isCronMinute(schedule: string, at: number): boolean {
  const fields = fieldsOf(schedule);
  if (fields.length !== 5) return false;
  const date = new Date(at);
  const values = [
    date.getUTCMinutes(),
    date.getUTCHours(),
    date.getUTCDate(),
    date.getUTCMonth() + 1,
    date.getUTCDay(),
  ];
  const hits = ranges.map((range, i) => {
    const field = fields[i] ?? "*";
    const value = values[i] ?? 0;
    return matchesField(field, value, range) || (i === 4 && value === 0 && matchesField(field, 7, range));
  });
  const [minute, hour, day, month, weekday] = hits;
  // As in cron: with both days restricted, either one is enough.
  const eitherDay = fields[2] !== "*" && fields[4] !== "*";
  return Boolean(minute && hour && month && (eitherDay ? day || weekday : day && weekday));
}
