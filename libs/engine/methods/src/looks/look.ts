import type { Probe } from "@microremed/contracts";
import type { ToolSpec } from "@microremed/llm";
import { z } from "zod";

/** A tool with which a method looks at the arena. */
export interface Look {
  readonly tool: ToolSpec;
  /** Arguments as they should be, JSON. */
  readonly example: string;
  /** The probe that the arguments stand for; undefined: they are wrong. */
  readonly probe: (json: unknown) => Probe | undefined;
}

/** Declares a look: what the model is shown is made from the schema that its arguments are read with. */
export function defineLook<S extends z.ZodObject>(look: {
  readonly name: string;
  readonly description: string;
  readonly arguments: S;
  readonly example: z.input<S>;
  readonly probe: (args: z.output<S>) => Probe;
}): Look {
  const { $schema: _schema, ...parameters } = z.toJSONSchema(look.arguments, { io: "input" });
  return {
    tool: { name: look.name, description: look.description, parameters },
    example: JSON.stringify(look.example),
    probe: (json) => {
      const parsed = look.arguments.safeParse(json);
      return parsed.success ? look.probe(parsed.data) : undefined;
    },
  };
}
