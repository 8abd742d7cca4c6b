import { openAiMessages, openAiTools } from "@microremed/trajectory/formats";
import { fileWriter, ParquetWriter } from "hyparquet-writer";
import type { CaseTraces, Trace } from "./trace.types.ts";

/** Traces that are in memory before they are written. */
const rowGroup = 100;

type Row = Readonly<Record<string, unknown>>;
type SchemaElement = ConstructorParameters<typeof ParquetWriter>[0]["schema"][number];

const text = (name: string): SchemaElement => ({
  name,
  type: "BYTE_ARRAY",
  converted_type: "UTF8",
  repetition_type: "OPTIONAL",
});
const whole = (name: string): SchemaElement => ({ name, type: "INT32", repetition_type: "REQUIRED" });
const real = (name: string): SchemaElement => ({ name, type: "DOUBLE", repetition_type: "OPTIONAL" });
const group = (name: string, children: number): SchemaElement => ({
  name,
  num_children: children,
  repetition_type: "OPTIONAL",
});
const list = (name: string): SchemaElement[] => [
  { name, num_children: 1, converted_type: "LIST", repetition_type: "OPTIONAL" },
  { name: "list", num_children: 1, repetition_type: "REPEATED" },
];

const scalars: readonly SchemaElement[] = [
  ...["id", "tools", "environment", "fault", "mechanism", "target", "strength"].map(text),
  ...["report", "concealment", "acting", "task"].map(text),
  real("reward"),
  ...["steps", "dropped", "slips", "guesses", "repairs"].map(whole),
];
/** Messages as those of OpenAI's chat are, in a list of structs: what `datasets` and trainers read without a conversion. */
const messages: readonly SchemaElement[] = [
  ...list("messages"),
  group("element", 4),
  ...[text("role"), text("content")],
  ...list("tool_calls"),
  group("element", 3),
  ...[text("id"), text("type"), group("function", 2), text("name"), text("arguments")],
  text("tool_call_id"),
];

/** A Parquet file that gets one trace after the other, in groups of rows. `tools` is JSON. */
export function openTraceParquet(file: string) {
  const writer = new ParquetWriter({
    writer: fileWriter(file),
    schema: [{ name: "root", num_children: scalars.length + 1 }, ...messages, ...scalars],
  });
  const names = ["messages", ...scalars.map(({ name }) => name)];
  let rows: Row[] = [];
  const flush = async (): Promise<void> => {
    const columnData = names.map((name) => ({ name, data: rows.map((row) => row[name] ?? null) }));
    await writer.write({ columnData, rowGroupSize: rowGroup });
    rows = [];
  };
  return {
    async write(trace: Trace, of: CaseTraces): Promise<void> {
      rows.push(rowOf(trace, of));
      if (rows.length >= rowGroup) await flush();
    },
    async close(): Promise<void> {
      await flush();
      await writer.finish();
    },
  };
}

function rowOf({ id, conversation, reward, steps, course }: Trace, { labels, tools }: CaseTraces): Row {
  return {
    ...{ messages: openAiMessages(conversation), tools: JSON.stringify(openAiTools(tools)) },
    ...{ id, ...labels, reward, steps, ...course },
  };
}
