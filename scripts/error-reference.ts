import { errorCodes } from "@microremed/contracts";
import { table } from "./table.ts";

const severity = { terminal: "no", retryable: "yes", either: "the error says" } as const;

/** Every error code with its meaning and what to do: docs/reference/errors.md. */
export function errorReference(): string {
  const of = (kind: "user" | "system"): string[][] =>
    Object.entries(errorCodes)
      .filter(([, entry]) => entry.kind === kind)
      .map(([code, entry]) => [`\`${code}\``, entry.doc, severity[entry.severity], entry.todo]);
  const heading = ["code", "meaning", "retried", "what to do"];
  return `${[
    "# Error codes",
    "Made from `libs/contracts/src/error-codes.ts` by `npm run docs:generate`; do not edit.",
    "Commands print the code in brackets after the message. Logs, events, dead letters and reports have it as `code`. The message says what was wrong, where, and what was expected.",
    "*Retried* says whether the harness tries again by itself: `no` means that the same input fails again (the error's severity is `terminal`), `yes` that it may succeed later (`retryable`).",
    "## Errors in the user's input",
    table(heading, of("user")),
    "## Errors of the harness and of other systems",
    "An episode that ends with one of these is a harness error. It never counts against the agent.",
    table(heading, of("system")),
  ].join("\n\n")}\n`;
}
