import { type FailureReport, mechanisms } from "@microremed/catalogue";

/** The question with the list of mechanisms, each with what it means. */
export const question = ({ environment, namespace }: FailureReport): string =>
  `Find the root cause of what is wrong with the system ${environment} in namespace ${namespace}: the object, its field, the wrong and the right value, how it leads to the symptom, and the labels of its layer and nature. It may be that nothing is wrong: then hand in an empty list of causes. Every cause that is none counts against you. Observe before you answer; repair nothing.

The mechanisms:
${Object.entries(mechanisms)
  .map(([name, doc]) => `- ${name}: ${doc}`)
  .join("\n")}`;
