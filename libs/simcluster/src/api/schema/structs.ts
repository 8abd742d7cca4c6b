import { parseStruct, type Struct } from "./field-type.ts";
import { objectStructs } from "./object-schema.ts";
import { platformStructs } from "./platform-schema.ts";
import { podStructs } from "./pod-schema.ts";

const structs = new Map<string, Struct>(
  Object.entries({ ...podStructs, ...objectStructs, ...platformStructs }).map(([name, text]) => [
    name,
    parseStruct(text),
  ]),
);

/** The fields of a struct by its Go name, or of a kind by `group/Kind`. */
export function findStruct(name: string): Struct | undefined {
  return structs.get(name);
}
