import type { SessionRecord } from "@microremed/contracts";
import { AppError } from "@microremed/core";
import type { SessionDeps } from "./session-deps.ts";

/**
 * Ends a session: its agent has left the experiment that it opened, which is charged to it; another one's episodes may be taken by
 * other sessions.
 */
export async function closeSession(
  { sessions, client }: Pick<SessionDeps, "sessions" | "client">,
  session: SessionRecord,
): Promise<boolean> {
  const isOpen = await sessions.close(session);
  // Of one that is over, or is not there, nothing is cancelled.
  if (isOpen && session.owned) await client.cancel(session.experimentId, "agent");
  return isOpen;
}

/** Between two searches for lost sessions, ms. */
const everyMs = 5_000;

/** Ends sessions without a sign of life. Every gateway does so; it is done once. */
export function sweepSessions(deps: Pick<SessionDeps, "sessions" | "client" | "log">): Disposable {
  let isRunning = false;
  const sweep = async (): Promise<void> => {
    for (const session of await deps.sessions.silent()) {
      const { id, experimentId, agent, silenceSeconds } = session;
      if (await closeSession(deps, session))
        deps.log.info(
          { session: id, experiment_id: experimentId, agent, silenceSeconds },
          "a silent session is closed",
        );
    }
  };
  const timer = setInterval(() => {
    if (isRunning) return;
    isRunning = true;
    sweep()
      .catch((thrown: unknown) => {
        deps.log.warn(
          { error_message: AppError.from(thrown).message },
          "the search for silent sessions failed",
        );
      })
      .finally(() => {
        isRunning = false;
      });
  }, everyMs);
  timer.unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
