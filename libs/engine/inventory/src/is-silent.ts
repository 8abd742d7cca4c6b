import { AppError } from "@microremed/core";

/**
 * Whether an exec failed for what is in the container: no such program, no container any more, or no end in time. That says
 * something of the container; a cluster that is away is another thing.
 */
export const isSilent = (error: unknown): boolean =>
  error instanceof AppError && (error.code === "cluster-refused" || error.code === "deadline-exceeded");
