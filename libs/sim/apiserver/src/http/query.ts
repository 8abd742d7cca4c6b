import { badRequest, invalid } from "@microremed/sim-objects";

const truths = new Set(["1", "t", "T", "TRUE", "true", "True"]);
const falsehoods = new Set(["0", "f", "F", "FALSE", "false", "False"]);

/** Go's ParseBool: clients in other languages send `True` and `1`. Absent and empty mean `fallback`. */
export function boolParam(query: URLSearchParams, name: string, fallback = false): boolean {
  const text = query.get(name);
  if (text === null || text === "") return fallback;
  if (truths.has(text)) return true;
  if (falsehoods.has(text)) return false;
  throw badRequest(
    `invalid value for query parameter "${name}": strconv.ParseBool: parsing ${JSON.stringify(text)}: invalid syntax`,
  );
}

/** A whole number; undefined when absent or empty. */
export function intParam(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null || text === "") return undefined;
  if (!/^-?\d{1,15}$/.test(text)) {
    throw badRequest(
      `invalid value for query parameter "${name}": strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`,
    );
  }
  return Number(text);
}

/** Whether the request only wants to know what would happen. */
export function isDryRun(query: URLSearchParams, body?: { readonly dryRun?: unknown }): boolean {
  const inBody = Array.isArray(body?.dryRun) ? body.dryRun : [];
  const values = [...query.getAll("dryRun"), ...inBody].filter((value) => value !== "");
  const bad = values.find((value) => value !== "All");
  if (bad !== undefined) {
    const message = `Unsupported value: ${JSON.stringify(bad)}: supported values: "All"`;
    const causes = [{ reason: "FieldValueNotSupported", message, field: "dryRun" }];
    throw invalid({ kind: "Options", group: "meta.k8s.io" }, "", causes);
  }
  return values.length > 0;
}
