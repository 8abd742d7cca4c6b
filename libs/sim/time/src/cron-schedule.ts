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

/** Whether a cron schedule (five fields or a macro, UTC) names the minute that holds `at`. */
export function isCronMinute(schedule: string, at: number): boolean {
  const fields = (macros[schedule] ?? schedule).trim().split(/\s+/);
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
