import { z } from "zod";
import { catalog } from "../libs/contracts/src/index.ts";

/**
 * The JSON schema of every message and reply, by file name: what a client in another language writes by. They are
 * committed, so that a change of the wire shows as one.
 */
export function messageSchemas(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    catalog.flatMap(({ name, version, schema, reply }) => [
      schemaFile(name, version, schema),
      ...(reply ? [schemaFile(`${name}.reply`, version, reply)] : []),
    ]),
  );
}

function schemaFile(name: string, version: number, schema: z.ZodType): [string, string] {
  const json = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return [`${name}.json`, `${JSON.stringify({ title: name, version, ...json }, null, 2)}\n`];
}
