import type { Query } from "./transport.types.ts";

/** A path with its query; values that are undefined are left out. */
export function requestPath(path: string, query: Query = {}): string {
  const parameters = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined) parameters.append(key, String(value));
  }
  return parameters.size === 0 ? path : `${path}?${parameters}`;
}
