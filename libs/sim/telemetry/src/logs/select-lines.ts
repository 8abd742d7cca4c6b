import type { LogLine, LogOptions } from "@microremed/sim-machine";

/** The lines that a request asks for: since a time, then the last so many of those. */
export function selectLines(lines: readonly LogLine[], options: LogOptions, now: number): readonly LogLine[] {
  const { sinceSeconds, sinceTime, tailLines } = options;
  const since = sinceTime !== undefined ? Date.parse(sinceTime) : now - (sinceSeconds ?? 0) * 1000;
  const bounded = sinceTime !== undefined || sinceSeconds !== undefined;
  const recent = bounded ? lines.filter((line) => line.at >= since) : lines;
  return tailLines === undefined ? recent : recent.slice(Math.max(0, recent.length - tailLines));
}

/** Lines as text, each with its end; with timestamps in nanoseconds as the container runtime keeps them. */
export function linesOf(lines: readonly LogLine[], timestamps: boolean): string {
  return lines
    .map(
      ({ at, text }) => `${timestamps ? `${new Date(at).toISOString().slice(0, -1)}000000Z ` : ""}${text}\n`,
    )
    .join("");
}
