import { isCronMinute, parseGoDuration } from "@microremed/sim-time";

/** When a Schedule fires: every so often, or in the seconds that a cron expression names. */
export type ChaosCron = { readonly everyMs: number } | { readonly seconds: string; readonly minutes: string };

const macro = /^@(yearly|annually|monthly|weekly|daily|midnight|hourly)$/;

/** robfig/cron's format with optional seconds. Throws an Error in its words. */
export function parseChaosCron(text: string): ChaosCron {
  if (text.startsWith("@every ")) {
    const everyMs = parseGoDuration(text.slice("@every ".length).trim());
    return { everyMs: Math.max(1000, Math.floor(everyMs / 1000) * 1000) };
  }
  if (macro.test(text)) return { seconds: "0", minutes: text };
  if (text.startsWith("@")) throw new Error(`unrecognized descriptor: ${text}`);
  const fields = text.trim().split(/\s+/).filter(Boolean);
  if (fields.length < 5 || fields.length > 6)
    throw new Error(`expected 5 to 6 fields, found ${fields.length}: [${fields.join(" ")}]`);
  const bad = fields.find((field) => !/^[\d*,/?-]+$/.test(field));
  if (bad !== undefined)
    throw new Error(`failed to parse int from ${bad}: strconv.Atoi: parsing "${bad}": invalid syntax`);
  const plain = fields.map((field) => field.replaceAll("?", "*"));
  return plain.length === 6
    ? { seconds: plain[0] ?? "0", minutes: plain.slice(1).join(" ") }
    : { seconds: "0", minutes: plain.join(" ") };
}

/** Whether a schedule that was made at `since` fires in the second that begins at `at`. */
export function fires(cron: ChaosCron, since: number, at: number): boolean {
  if ("everyMs" in cron) return at > since && (at - since) % cron.everyMs === 0;
  // Seconds follow the same rules as minutes.
  const second = new Date(at).getUTCSeconds();
  return isCronMinute(cron.minutes, at) && isCronMinute(`${cron.seconds} * * * *`, second * 60_000);
}
