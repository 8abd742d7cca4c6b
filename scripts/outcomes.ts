import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { table } from "./table.ts";

interface Ended {
  readonly outcome: string;
  readonly clean: boolean | null;
  readonly damage: readonly string[] | null;
  readonly seconds: number | null;
}

interface Results {
  readonly version: string;
  readonly trials: readonly {
    readonly fault: string;
    readonly target: string;
    readonly remedy: string;
    readonly real: Ended;
    readonly embedded: Ended;
    readonly agrees: boolean;
    readonly why?: string;
  }[];
}

/** How trials ended on real and on embedded clusters, from the results in the folder. */
export function outcomes(folder: string): string {
  const files = readdirSync(folder).filter((name) => /^outcomes-.*\.json$/.test(name));
  return files
    .sort()
    .map((name) => ofVersion(JSON.parse(readFileSync(join(folder, name), "utf8")) as Results))
    .join("\n\n");
}

function ofVersion({ version, trials }: Results): string {
  const agreed = trials.filter(({ agrees }) => agrees).length;
  const share = ((100 * agreed) / trials.length).toFixed(1);
  const both = (real: string, embedded: string): string =>
    real === embedded ? real : `real: ${real}; embedded: ${embedded}`;
  const rows = trials.map(({ fault, target, remedy, real, embedded }) => [
    `${fault} on ${target}`,
    remedy,
    both(inWords(real), inWords(embedded)),
    both(left(real), left(embedded)),
    seconds(real),
    seconds(embedded),
  ]);
  const differing = trials.filter(({ agrees }) => !agrees);
  return [
    `With ${version}, ${agreed} of ${trials.length} trials (${share} %) had the same outcome, were judged equally clean and left the same damage:`,
    "",
    table(["fault", "remedy", "outcome", "left different", "real, s", "embedded, s"], rows),
    ...(differing.length > 0 ? ["", "These differ:", ""] : []),
    ...differing.map(
      ({ fault, target, remedy, why }) =>
        `- ${fault} on ${target}, ${remedy}: ${why ?? "Not explained yet."}`,
    ),
  ].join("\n");
}

const inWords = ({ outcome, clean }: Ended): string =>
  outcome === "remediated" && clean === false ? "remediated, not clean" : outcome;
const left = ({ damage }: Ended): string => (damage ? damage.join(", ") || "-" : "not compared");
const seconds = ({ seconds }: Ended): string => (seconds === null ? "-" : String(seconds));
