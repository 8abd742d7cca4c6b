import { type AppError, terminal } from "@microremed/core";

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** Names every wrong field, the first twenty. */
export function wrongFields(what: string, issues: readonly Issue[]): AppError {
  const named = issues
    .slice(0, 20)
    .map(({ path, message }) => ({ path: path.map(String).join("."), message }));
  const lines = named.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`));
  return terminal("invalid-request", `${what}: ${lines.join("; ")}`, { issues: named });
}
