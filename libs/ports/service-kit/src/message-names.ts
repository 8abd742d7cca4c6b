/** `commands.act`: a subject without its prefix and without what names a cluster, a model or an experiment. */
export function operationOf(subject: string): string {
  return subject.split(".").slice(1, 3).join(".");
}

/** Ids of the experiment and the episode that a message is about. */
export function idsIn(message: unknown): { experiment?: string; episode?: string } {
  if (typeof message !== "object" || message === null) return {};
  const { episodeId, experimentId } = message as { episodeId?: unknown; experimentId?: unknown };
  return {
    ...(typeof experimentId === "string" && { experiment: experimentId }),
    ...(typeof episodeId === "string" && { episode: episodeId }),
  };
}
