import { decimal, percent, percentInterval, type Table } from "./format.ts";
import { modelLabel, type Report } from "./report.ts";

/** What the experiment was, as name and value. */
export function headingTable(report: Report): Table {
  const { request } = report;
  return [
    ["experiment", report.experimentId],
    ["environment", request.environment],
    ["method", request.method.join(", ")],
    ["model", request.model.map(modelLabel).join(", ")],
    ["failures", typeof request.failures === "string" ? request.failures : JSON.stringify(request.failures)],
    ["seed", String(request.seed)],
    ["status", report.status],
  ];
}

export function totalsTable({ summary }: Report): Table {
  return [
    [
      "episodes",
      "injected",
      "remediated",
      "success",
      "95 % interval",
      "injection failed",
      "harness errors",
      "cancelled",
    ],
    [
      String(summary.total),
      String(summary.injected),
      String(summary.remediated),
      percent(summary.successRate),
      percentInterval(summary.successInterval),
      String(summary.injectionFailed),
      String(summary.harnessErrors),
      String(summary.cancelled),
    ],
  ];
}

export function averagesTable({ summary }: Report): Table {
  const row = (name: string, averages: Report["summary"]["overall"]): string[] => [
    name,
    decimal(averages.attempts, 2),
    decimal(averages.remediationSeconds),
    decimal(averages.seconds),
    decimal(averages.tokens, 0),
    decimal(averages.estimatedTokens, 0),
  ];
  return [
    ["average", "attempts", "remediation s", "episode s", "tokens", "tokens (chars/4)"],
    row("per episode", summary.overall),
    row("per success", summary.perSuccess),
  ];
}

export function failuresTable({ summary }: Report): Table {
  return [
    ["failure", "injected", "remediated", "rate", "95 % interval"],
    ...Object.entries(summary.byFailure).map(([failure, part]) => [
      failure,
      String(part.injected),
      String(part.remediated),
      percent(part.rate),
      percentInterval(part.interval),
    ]),
  ];
}

export function episodesTable({ episodes }: Report): Table {
  return [
    ["#", "failure", "target", "outcome", "attempts", "seconds", "tokens", "reason"],
    ...episodes.map((row) => [
      String(row.index),
      row.failure,
      row.target,
      row.outcome ?? "running",
      String(row.attempts),
      decimal(row.seconds),
      String(row.tokens),
      row.reason ?? "",
    ]),
  ];
}

/** Several experiments side by side, best first. */
export function leaderboardTable(reports: readonly Report[]): Table {
  const failures = [...new Set(reports.flatMap((report) => Object.keys(report.summary.byFailure)))].sort();
  return [
    ["model", "method", "success", "95 % interval", "remediated", "attempts", "s", "tokens", ...failures],
    ...ranked(reports).map((report) => [
      report.request.model.map(modelLabel).join(", "),
      report.request.method.join(", "),
      percent(report.summary.successRate),
      percentInterval(report.summary.successInterval),
      `${report.summary.remediated}/${report.summary.injected}`,
      decimal(report.summary.overall.attempts, 2),
      decimal(report.summary.overall.remediationSeconds),
      decimal(report.summary.overall.tokens, 0),
      ...failures.map((failure) => {
        const part = report.summary.byFailure[failure];
        return part ? `${part.remediated}/${part.injected}` : "-";
      }),
    ]),
  ];
}

/** Best success rate first. */
export function ranked(reports: readonly Report[]): Report[] {
  return [...reports].sort((a, b) => (b.summary.successRate ?? -1) - (a.summary.successRate ?? -1));
}
