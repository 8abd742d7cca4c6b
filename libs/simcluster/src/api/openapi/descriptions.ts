import { readFileSync } from "node:fs";

/** What the API reference says of one struct: of itself, and of its fields. */
export interface StructText {
  readonly description: string;
  readonly fields: ReadonlyMap<string, string>;
}

const unknown: StructText = { description: "", fields: new Map() };
/** How the JavaScript client prefixes the names of Kubernetes' Go structs. */
const prefixes = ["V1", "V2", "CoreV1", "RbacV1", "DiscoveryV1"];
const known = new Map<string, StructText>();

const models = new URL("./gen/models/", import.meta.resolve("@kubernetes/client-node"));

/** Comments of the client's models are the descriptions of Kubernetes' own OpenAPI document (Apache-2.0). */
function read(struct: string): StructText {
  for (const prefix of prefixes) {
    let source: string;
    try {
      source = readFileSync(new URL(`${prefix}${struct}.d.ts`, models), "utf8");
    } catch {
      continue;
    }
    const described = source.matchAll(
      /\/\*\*\s*\* ([^\n]*)\s*\*\/\s*(?:'([\w$-]+)'\??:|export declare class)/g,
    );
    const texts = [...described].map(([, text = "", field = ""]) => [field, text] as const);
    const fields = new Map(texts.filter(([field]) => field !== ""));
    return { description: texts.find(([field]) => field === "")?.[1] ?? "", fields };
  }
  return unknown;
}

/** Read when somebody asks for it (`kubectl explain`), and then kept. `struct`: `DeploymentSpec`, or `apps/Deployment`. */
export function describeStruct(struct: string): StructText {
  const name = struct.slice(struct.lastIndexOf("/") + 1);
  const text = known.get(name) ?? read(name);
  known.set(name, text);
  return text;
}
