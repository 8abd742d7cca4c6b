import type { Fault, PublishedRule, Round } from "@microremed/catalogue";
import type { MicroRemedVerdict } from "@microremed/contracts";
import { type Check, podProblems, publishedChecks } from "./checks.ts";

/** inject_and_remediate.py: --wait-interval, cluster time between the playbook and the first check, ms. */
const waitMs = 10_000;
/** chaos/check_status.py: START_TIMEOUT, ms. */
const readyWithinMs = 300_000;

/** Follows a verification and says what MicroRemed's own check would have found. */
export interface MicroRemedJudge {
  check(round: Round): Promise<void>;
  /** After the last check. Null: the published rules have no check for this fault. */
  verdict(): Promise<MicroRemedVerdict | null>;
}

/** `startedAt`: cluster time, ms, at which the playbook was over. */
export function createMicroRemedJudge(
  { published: rule }: Pick<Fault, "published">,
  startedAt: number,
): MicroRemedJudge {
  if (!rule) return { check: async () => {}, verdict: async () => null };
  const from = startedAt + waitMs;
  let last: Round | undefined;
  let measuredFrom = rule.readyFirst ? undefined : from;
  let check: Check | undefined;
  let over = false;

  return {
    async check(round) {
      const { at } = round.state;
      last = round;
      if (over || at < from) return;
      const wait = podProblems(round.state).length > 0 && at < from + readyWithinMs;
      if (measuredFrom === undefined && wait) return;
      measuredFrom ??= at;
      if (check && at - measuredFrom > rule.timeoutSeconds * 1000) {
        over = true;
        return;
      }
      check = await publishedChecks[rule.check](round);
      over = check.passed;
    },
    async verdict() {
      // Its wait for the pods ends without a verdict, and what is measured then counts.
      check ??= last && (await publishedChecks[rule.check](last));
      return check ? asVerdict(check, rule) : unseen;
    },
  };
}

function asVerdict(
  { passed, reason, measurements }: Check,
  { timeoutSeconds }: PublishedRule,
): MicroRemedVerdict {
  const within = passed ? reason : `not within ${timeoutSeconds} s: ${reason}`;
  return { recovered: passed, reason: within, measurements: [...measurements] };
}

const unseen: MicroRemedVerdict = {
  recovered: false,
  reason: "nothing could be measured",
  measurements: [],
};
