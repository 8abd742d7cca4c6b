import { findWorkload, restartWorkload } from "@microremed/catalogue";
import { alarmedAnswer } from "../answers.ts";
import type { Policy } from "../policy.ts";
import { shellMove } from "../shell-move.ts";

/**
 * Restarts the failed service, whatever the failure; every service when none is named. Asked, it says that something
 * is wrong, whatever it is asked.
 */
export const restart: Policy = {
  repair({ report: { namespace, target } }) {
    if (target !== undefined) {
      const where = { namespace, target };
      return shellMove(`Restart ${target}`, [findWorkload(where), ...restartWorkload(where)]);
    }
    const all = ["deployment", "statefulset"].map(
      (kind) => `kubectl -n ${namespace} rollout restart ${kind} || true`,
    );
    return shellMove("Restart everything", all);
  },
  answer: ({ answer, report: { target } }) => ({
    answer: alarmedAnswer(answer, target === undefined ? undefined : { name: target }),
  }),
};
