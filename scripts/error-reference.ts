import { errorCodes } from "@microremed/contracts";
import { table } from "./table.ts";

const severity = { terminal: "no", retryable: "yes", either: "depends" } as const;

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
    "Every error has a message and a code. The message says what was wrong, where, and what was expected. Commands print the code in brackets after it; logs, events, dead letters and reports have it as `code`.",
    "*Retried* says whether the harness repeats the failed operation by itself. `no`: the same input fails again (severity `terminal`). `yes`: it may succeed later (severity `retryable`). `depends`: it differs from case to case, and the `severity` of each error says which. Apart from that, an episode that fails with an error of the harness is tried again on a fresh arena, up to three trials in all. Errors whose code begins with `model-` are excepted.",
    "## Errors in the user's input",
    table(heading, of("user")),
    "## Errors of the harness and of other systems",
    "An episode that ends with one of these is a harness error. It never counts against the agent.",
    table(heading, of("system")),
  ].join("\n\n")}\n`;
}
