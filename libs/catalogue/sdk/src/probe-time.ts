/** Times of a probe as manifests have them; what is left out has Kubernetes' default. */
export interface ProbeTimes {
  readonly initialDelaySeconds?: number;
  readonly periodSeconds?: number;
  readonly timeoutSeconds?: number;
  readonly failureThreshold?: number;
}

/** A slow program may be given more time, but within three times its own a program that fails must be found out. */
const mostSlower = 3;

/** How long a probe takes to notice that a program does not answer, s: from the program's start, at most. */
export function noticeSeconds(times: ProbeTimes): number {
  const { initialDelaySeconds = 0, periodSeconds = 10, timeoutSeconds = 1, failureThreshold = 3 } = times;
  return initialDelaySeconds + failureThreshold * Math.max(periodSeconds, timeoutSeconds);
}

/** Whether a probe notices failures so late that it is as good as none, whatever it is for. */
export const noticesTooLate = (declared: ProbeTimes, now: ProbeTimes): boolean =>
  noticeSeconds(now) > mostSlower * noticeSeconds(declared);
