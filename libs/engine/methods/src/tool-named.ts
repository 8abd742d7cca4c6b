import type { ToolSpec } from "@microremed/llm";
import { lookNamed } from "./looks/registry.ts";
import { printPlaybook } from "./tools.ts";

/** A tool that methods offer to models. */
export function toolNamed(name: string): ToolSpec | undefined {
  return name === printPlaybook.name ? printPlaybook : lookNamed(name)?.tool;
}
