import type { KubeConfig } from "@kubernetes/client-node";
import type { Query, Seen } from "../transport.types.ts";

/**
 * One watch connection of client-node's, which ends one that is silent for 30 s. Returns whether what came next can be
 * had from where it ended.
 */
export async function watchOverHttp(
  config: KubeConfig,
  path: string,
  query: Query,
  seen: Seen,
  signal: AbortSignal,
): Promise<boolean> {
  const { Watch } = await import("@kubernetes/client-node");
  const { promise: ended, resolve: end } = Promise.withResolvers<unknown>();
  let open = true;
  const connected = new Watch(config).watch(
    path,
    { ...query },
    (type, object) => {
      if (!open) return;
      seen(type, object);
      if (type === "ERROR") end(new Error("the resourceVersion expired"));
    },
    end,
  );
  connected.catch(end);
  const abort = (): void => end(undefined);
  signal.addEventListener("abort", abort, { once: true });
  const error = await ended;
  signal.removeEventListener("abort", abort);
  open = false;
  connected.then(
    (connection) => connection.abort(),
    () => {},
  );
  return !error || (error instanceof Error && error.name === "TimeoutError");
}
