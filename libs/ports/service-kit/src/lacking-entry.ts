import { AppError, terminal } from "@microremed/core";

/** What to do where a service does not know a name, by the code of its error. */
const remedies: Readonly<Record<string, string>> = {
  "unknown-policy": "give every executor and scheduler the same policies (POLICIES_DIR)",
};
const loadFolder =
  "start every service with the catalogue folder that has it (`--catalogue` of a local range, CATALOGUE_DIRS of each service)";
const catalogueCodes = ["unknown-environment", "unknown-failure", "unknown-method", "unknown-entry"];

/**
 * What a service threw, as it was; where its catalogue lacks an entry, with the service's name and what to do. The services
 * of a range may have been started with different catalogues, or be of different versions.
 */
export function namingService(service: string, thrown: unknown): AppError {
  const error = AppError.from(thrown);
  const { code, message, details } = error;
  const todo = remedies[code] ?? (catalogueCodes.includes(code) ? loadFolder : undefined);
  if (todo === undefined) return error;
  const where = code === "unknown-policy" ? "policies" : "catalogue";
  return terminal(code, `the ${service}'s ${where}: ${message}; ${todo}`, { ...details, service }, error);
}
