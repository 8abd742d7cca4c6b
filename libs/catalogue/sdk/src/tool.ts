import type { z } from "zod";
import type { Entry, Unmarked } from "./entry.ts";

/** What a tool may do: read the system, or change it. */
export type ToolRights = "observe" | "act";

/** A tool that agents call, the same over methods, HTTP, MCP and gym. */
export interface Tool<S extends z.ZodObject = z.ZodObject> extends Entry<"tool"> {
  /** What the agent is shown: one sentence, imperative. */
  readonly description: string;
  readonly rights: ToolRights;
  /** What it takes; the agent's JSON schema is made from it. */
  readonly arguments: S;
  /** Arguments as they should be, for error messages and docs. */
  readonly example: z.input<S>;
  /** The question that the executor answers with the agent's own credentials: what one call comes to. */
  request(args: z.output<S>): unknown;
}

/** Declares a tool; its arguments are typed by its own schema. */
export function defineTool<S extends z.ZodObject>(tool: Unmarked<Tool<S>>): Tool {
  return { ...tool, entry: "tool", request: (args) => tool.request(tool.arguments.parse(args)) };
}
