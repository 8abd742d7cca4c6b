import { AppError, retryable, terminal } from "@microremed/core";

/**
 * Why something failed, in one line. What could not be parsed is not quoted: it may hold a credential, and so may
 * all but the first line of what a YAML parser or a credential plugin says.
 */
export function causeOf(error: unknown): string {
  if (error instanceof SyntaxError) return "what was read is not JSON";
  const text = error instanceof Error ? error.message || error.name : String(error);
  return text.split("\n")[0] ?? "";
}

/** An answer that is an error, as AppError: overload and internal errors may pass, the rest stays. */
export function refusal(
  cluster: string,
  method: string,
  path: string,
  status: number,
  body: string,
): AppError {
  let message = body.slice(0, 500);
  let reason = "";
  try {
    const parsed = JSON.parse(body) as { message?: unknown; reason?: unknown };
    if (typeof parsed.message === "string") message = parsed.message;
    if (typeof parsed.reason === "string") reason = parsed.reason;
  } catch {
    // Not a Status object: the body's beginning is all there is to say.
  }
  const text = `cluster ${cluster} answered ${method} ${path} with ${status}: ${message}`;
  const details = { cluster, status, reason, said: message };
  return status === 429 || status >= 500
    ? retryable("cluster-unreachable", text, details)
    : terminal("cluster-refused", text, details);
}

/** The cluster has no such resource, or shows its user none; `details.unserved`: its API version and plural. */
export function unserved(cluster: string, apiVersion: string, resource: string): AppError {
  const said = `the server doesn't have a resource type ${JSON.stringify(resource)}`;
  const text = `cluster ${cluster}: ${said} in ${apiVersion}`;
  const details = { cluster, status: 403, reason: "", said, unserved: `${apiVersion}.${resource}` };
  return terminal("cluster-refused", text, details);
}

/** No answer at all, as AppError. */
export function unreachable(
  cluster: string,
  origin: string,
  method: string,
  path: string,
  cause: unknown,
): AppError {
  return retryable(
    "cluster-unreachable",
    `cluster ${cluster} at ${origin} did not answer ${method} ${path}: ${causeOf(cause)}; is it running, and does its kubeconfig point to it?`,
    { cluster },
  );
}

/** Whether the API server refused with this HTTP status. */
export function isRefused(error: unknown, status: number): boolean {
  return error instanceof AppError && error.code === "cluster-refused" && error.details["status"] === status;
}
