const minute = 60;

/** s between two runs of a schedule of whole minutes, `* * * * *` or `*\/5 * * * *`; undefined: it is another one. */
export function periodSeconds(schedule: string): number | undefined {
  const [, step = "1"] = /^\*(?:\/([1-9]|[12]\d|30))?(?: \*){4}$/.exec(schedule.trim()) ?? [undefined, ""];
  return step === "" ? undefined : Number(step) * minute;
}
