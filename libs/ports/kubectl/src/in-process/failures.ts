import { AppError, terminal } from "@microremed/core";

/** What kubectl prints to stderr before it exits with 1: the caller's mistake, or the cluster's word. */
export class KubectlFailure extends Error {}

/** What the real kubectl can do and this one cannot: the harness's fault, never the command author's. */
export function notSimulated(what: string): AppError {
  const message = `kubectl in process does not know ${what}; run it with the real one`;
  return terminal("not-simulated", message, { said: `error: ${what} is not supported here` });
}

/** What who wrote the command reads of a `not-simulated` error; undefined: it is another error. */
export function saidOf(error: unknown): string | undefined {
  if (!(error instanceof AppError) || error.code !== "not-simulated") return undefined;
  const { said } = error.details;
  return typeof said === "string" ? said : "error: this is not supported here";
}

/** The API server's refusal in kubectl's words; everything else as it is. */
export function asKubectlFailure(error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== "cluster-refused") return error;
  const { reason, said, unserved } = error.details;
  if (unserved !== undefined) return new KubectlFailure(`error: ${said}`);
  const kind = typeof reason === "string" && reason !== "" ? ` (${reason})` : "";
  return new KubectlFailure(`Error from server${kind}: ${typeof said === "string" ? said : error.message}`);
}
