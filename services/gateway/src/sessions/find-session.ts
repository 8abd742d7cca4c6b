import { terminal } from "@microremed/core";
import type { OpenSession } from "@microremed/state";
import type { SessionDeps } from "./session-deps.ts";

/**
 * An open session, which counts as a sign of life. Throws `unknown-session`, also for one that another token has opened: whether it
 * is there is none of its business. `tokenId`: undefined for who may see all.
 */
export async function findSession(
  { sessions }: Pick<SessionDeps, "sessions">,
  id: string,
  tokenId: string | undefined,
): Promise<OpenSession> {
  const found = await sessions.use(id);
  if (found && (tokenId === undefined || found.session.tokenId === tokenId)) return found;
  throw terminal(
    "unknown-session",
    "no session of that id is open for this token; it may have been closed, or was silent for too long",
  );
}
