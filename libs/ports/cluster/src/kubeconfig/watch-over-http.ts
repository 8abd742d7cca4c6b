import type { Query, Seen } from "../transport.types.ts";
import type { ApiRequests } from "./api-requests.ts";

/** A watch that is silent for so long may be on a dead connection; wall clock, ms. */
const longestSilenceMs = 30_000;
/** API servers end a watch after the `timeoutSeconds` that it asks for, at most. */
const longestMs = 3_600_000;
/** Of one line: one object, which is far smaller. */
const mostCharacters = 64 * 2 ** 20;

/** One watch connection. Returns whether what came next can be had from where it ended. */
export async function watchOverHttp(
  requests: Pick<ApiRequests, "open">,
  path: string,
  query: Query,
  seen: Seen,
  signal: AbortSignal,
): Promise<boolean> {
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(), longestSilenceMs);
  try {
    const response = await requests.open("GET", path, {
      query: { ...query, watch: true },
      signal: AbortSignal.any([signal, silence.signal]),
      timeoutMs: longestMs,
      repeatable: false,
    });
    let rest = "";
    for await (const chunk of response.setEncoding("utf8")) {
      timer.refresh();
      const lines = `${rest}${chunk}`.split("\n");
      rest = lines.pop() ?? "";
      if (rest.length > mostCharacters) return false;
      for (const line of lines) if (isError(line, seen)) return false;
    }
    return true;
  } catch {
    return silence.signal.aborted;
  } finally {
    clearTimeout(timer);
  }
}

/** Gives one line of a watch to `seen`; whether it says that the watch cannot go on. */
function isError(line: string, seen: Seen): boolean {
  if (line.trim() === "") return false;
  const { type, object } = JSON.parse(line) as { type: string; object: Parameters<Seen>[1] };
  seen(type, object);
  return type === "ERROR";
}
