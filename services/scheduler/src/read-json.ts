import type { RequestIssue } from "@microremed/contracts";

/** Reads a request's text, which any client may have written; says so where it is no JSON. */
export function readJson(
  text: string,
): { readonly value: unknown } | { readonly issues: readonly RequestIssue[] } {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { issues: [{ path: "", message: `the request is not JSON: ${String(error)}` }] };
  }
}
