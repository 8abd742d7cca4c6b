import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { OperatorsComputer } from "./operators-computer.ts";

/** An experiment as its report has it. */
export interface Report {
  readonly experimentId: string;
  readonly summary: Readonly<Record<string, number>>;
  readonly episodes: readonly {
    readonly outcome: string;
    readonly model: string;
    readonly failure: string;
    readonly reason: string | null;
  }[];
}

export interface SubmitOptions {
  /** The page's command, with a file `request.json`. */
  readonly command: string;
  readonly request: object;
  /** Called once, when so many episodes are done; the experiment goes on meanwhile. */
  readonly midway?: { readonly episodes: number; readonly act: () => Promise<void> };
}

/** Publishes a request by the page's bare client, and returns the experiment's id when it has ended. */
export async function submit(
  computer: OperatorsComputer,
  { command, request, midway }: SubmitOptions,
): Promise<string> {
  await writeFile(join(computer.dir, "request.json"), JSON.stringify(request));
  let experimentId = "";
  let acting: Promise<void> | undefined;
  const hear = (line: string): void => {
    if (!line.startsWith("{")) return;
    const said = JSON.parse(line) as { status?: string; experimentId?: string; done?: number };
    if (said.status === "accepted") experimentId = said.experimentId ?? "";
    if (midway && (said.done ?? -1) >= midway.episodes) {
      acting ??= midway.act();
      acting.catch(() => undefined);
    }
  };
  await computer.type(command, hear);
  if (midway && acting === undefined) throw new Error("the experiment ended before its middle");
  await acting;
  return experimentId;
}

/** The report of an experiment that has ended. */
export async function reportOf(computer: OperatorsComputer, experimentId: string): Promise<Report> {
  // A port-forward in the background prints too.
  await computer.type(`npx microremed report ${experimentId} --output json >report.json`);
  return JSON.parse(await readFile(join(computer.dir, "report.json"), "utf8")) as Report;
}
