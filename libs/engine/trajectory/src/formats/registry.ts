import { atif } from "./atif.ts";
import { csv } from "./csv.ts";
import type { ExportFormat } from "./format.ts";
import { openAiChat } from "./openai-chat.ts";
import { parquet } from "./parquet.ts";
import { shareGpt } from "./share-gpt.ts";

export { offeredTools } from "../offered-tools.ts";
export { openAiMessages, openAiTools } from "./openai-chat.ts";
export { shareGptTurns } from "./share-gpt.ts";

/** Every format of `microremed export`: one file, one line here. */
export const exportFormats: readonly ExportFormat[] = [openAiChat, shareGpt, atif, csv, parquet];
