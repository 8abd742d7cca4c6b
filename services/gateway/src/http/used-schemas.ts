import type { OpenAPIV3_1 } from "openapi-types";

type Document = Partial<OpenAPIV3_1.Document>;

/**
 * The document without the named schemas that nothing in it refers to. Each named schema is there as it is read and as it is
 * answered, and most routes only do one of the two.
 */
export function withUsedSchemas<D extends Document>(document: D): D {
  const all = document.components?.schemas ?? {};
  const { schemas: _, ...components } = document.components ?? {};
  const used = new Set<string>();
  const follow = (text: string): void => {
    for (const [, name = ""] of text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (used.has(name)) continue;
      used.add(name);
      follow(JSON.stringify(all[name] ?? {}));
    }
  };
  follow(JSON.stringify({ ...document, components }));
  const schemas = Object.fromEntries(Object.entries(all).filter(([name]) => used.has(name)));
  return { ...document, components: { ...components, schemas } };
}
