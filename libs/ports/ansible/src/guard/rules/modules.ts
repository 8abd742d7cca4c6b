import { allows } from "../policy.ts";
import type { Rule } from "../rule.ts";

/** Only the policy's modules run. */
export const modules: Rule = ({ module }, { policy }) =>
  module === undefined || allows(policy.modules, module)
    ? undefined
    : `the module ${module.slice(0, 200)} is not among those allowed`;
