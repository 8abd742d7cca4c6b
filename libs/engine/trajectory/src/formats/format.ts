import type { EpisodeDocument } from "@microremed/contracts";
import type { KnownTools } from "../offered-tools.ts";

/** One way to write episodes to a file. */
export interface ExportFormat {
  readonly name: string;
  readonly description: string;
  /** Of the file, without a dot. */
  readonly extension: string;
  readonly write: (episodes: readonly EpisodeDocument[], tools: KnownTools) => string | Uint8Array;
}

export function defineFormat(format: ExportFormat): ExportFormat {
  return format;
}

/** One JSON document a line. */
export function jsonLines(documents: readonly unknown[]): string {
  return documents.map((document) => `${JSON.stringify(document)}\n`).join("");
}
