import { shortestHoldMs } from "./hold-window.ts";
import { judgeFurther } from "./judge-further.ts";
import { judgeRound, roundContext } from "./judge-round.ts";
import { startRound } from "./round.ts";
import { soak } from "./soak.ts";
import { instancesOf, observeTarget } from "./target-state.ts";
import type { Verification } from "./verification.types.ts";

/** metrics-server samples every 15 s: the newest sample of a quiet target is that old. Cluster time, ms. */
const sampleMs = 20_000;

/** Soaks a recovered target with the oracles that judged it. Undefined: it is still recovered; else why it is not. */
export async function soakRecovery(
  { context, judged, further, evidence, kept, book }: Verification,
  seconds: number,
): Promise<string | undefined> {
  const { clock } = context.cluster;
  const subject = roundContext(context, judged.fault, evidence.baseline, undefined, 0);
  const others = further.map((part) =>
    roundContext(part.context, part.judged.fault, part.baseline, undefined, 0),
  );
  const begin = await startRound(subject, kept.mark);
  let requests = subject.edges.length === 0 ? undefined : await begin.requests();
  return soak({
    clock,
    signal: context.signal,
    seconds,
    betweenMs: shortestHoldMs,
    readInstances: async () => {
      const states = await Promise.all([subject, ...others].map(observeTarget));
      return states.map(instancesOf).join("; ");
    },
    check: async () => {
      const since = (await clock.now()) - sampleMs;
      const { baseline } = evidence;
      const round = await startRound(
        roundContext(context, judged.fault, baseline, requests, since),
        kept.mark,
      );
      const verdicts = await judgeRound(round, judged);
      const rounds = await judgeFurther(further, kept.mark, since);
      await book.note(round, verdicts, rounds);
      if (requests) requests = await round.requests();
      return [...verdicts, ...rounds.flatMap((one) => one.verdicts)];
    },
  });
}
