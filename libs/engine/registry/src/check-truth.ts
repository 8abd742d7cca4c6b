import { type Environment, type Fault, GroundTruth, parseTarget, targetText } from "@microremed/catalogue";
import { wrongValues } from "@microremed/contracts";
import type { Placed } from "./find-entries.ts";
import { inWords } from "./in-words.ts";
import type { Wrong } from "./wrong.types.ts";

/** Whether the ground truth of each fault is one, at its first target in each environment: tasks are graded by it. */
export function checkTruths(faults: readonly Placed<Fault>[], environments: readonly Environment[]): Wrong[] {
  return faults.flatMap((fault) => {
    // What is wrong on one environment is wrong on the next: said once.
    const found = environments.values().map((environment) => checkTruth(fault, environment));
    return found.find((problems) => problems.length > 0) ?? [];
  });
}

function checkTruth({ entry, file }: Placed<Fault>, environment: Environment): Wrong[] {
  const problem = (field: string, expected: string): Wrong => ({
    place: file,
    field: field === "" ? "truth()" : `truth().${field}`,
    expected,
  });
  try {
    const [first] = entry.targets(environment);
    if (!first) return [];
    const target = targetText(first);
    const truth: unknown = entry.truth({ environment, target });
    // A promise is refused as a value; nothing waits for it, so its failure must not end the process.
    if (truth instanceof Promise) truth.catch(() => undefined);
    const read = GroundTruth.safeParse(truth);
    if (!read.success) return wrongValues(read.error).map(({ field, expected }) => problem(field, expected));
    const { name } = parseTarget(target);
    if (entry.control || read.data.affected.some((one) => one.name === name)) return [];
    return [
      problem(
        "affected",
        `the target among them, "${name}" here: ...affectedObjects({ environment, target })`,
      ),
    ];
  } catch (thrown) {
    return [problem("", `what is wrong on ${environment.name}, and not the error: ${inWords(thrown)}`)];
  }
}
