import { FailureName, TaskName } from "@microremed/contracts";
import { z } from "zod";

/** Most characters of a name: of a label's value in Kubernetes. */
const mostCharacters = 63;
const named = (pattern: RegExp, words: string): z.ZodString =>
  z.string().min(1).max(mostCharacters).regex(pattern, words);

/** Small letters, digits and single dashes between them: a name that is part of paths, options and messages. */
export const kebabName = named(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'kebab-case like "slow-disk"');

/** What a name of each kind looks like, and what messages take as one. */
export const entryNames = {
  fault: FailureName.pipe(kebabName),
  noise: kebabName,
  oracle: kebabName,
  tool: named(/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/, 'snake_case like "get_logs"'),
  task: TaskName.pipe(kebabName),
  agent: named(/^[A-Za-z0-9]+(-[A-Za-z0-9]+)*$/, 'letters, digits and dashes like "ThinkRemed"'),
  suite: z
    .string()
    .regex(/^(?=.{1,51}@)[a-z0-9]+(-[a-z0-9]+)*@[1-9][0-9]{0,3}$/, "<name>@<version>, e.g. nightly@1"),
} as const;
