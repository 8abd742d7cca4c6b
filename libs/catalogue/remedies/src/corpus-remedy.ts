import { shellPlaybook } from "@microremed/catalogue";
import type { RemedyFile } from "./format.ts";
import { fillTemplate, placeholders, placeholdersIn } from "./placeholders.ts";
import type { RemedyCase } from "./remedy-case.ts";

/** One remedy of the corpus, read from its file. */
export interface CorpusRemedy extends Pick<RemedyFile, "name" | "description" | "class" | "expected"> {
  readonly file: string;
  /** How long its playbook may run, s; undefined: as the request says. */
  readonly playbookSeconds: number | undefined;
  /** Whether it can be done in this case and its expectation is about it. */
  appliesTo(one: RemedyCase): boolean;
  /** The playbook for a case to which it applies. */
  playbookFor(one: RemedyCase): string;
}

export function corpusRemedy(read: RemedyFile, file: string): CorpusRemedy {
  const { name, description, expected, applies, playbookSeconds, script, playbook = "" } = read;
  const template = script ?? playbook;
  const needed = [...new Set([...placeholdersIn(template), ...applies.needs])];
  const isOne = <T>(wanted: readonly T[] | undefined, is: T): boolean =>
    wanted === undefined || wanted.includes(is);
  return {
    name,
    description,
    class: read.class,
    expected,
    file,
    playbookSeconds,
    appliesTo(one) {
      const { fault, context, concealment, persistence } = one;
      return (
        !fault.control &&
        isOne(applies.faults, fault.name) &&
        isOne(applies.environments, context.environment.name) &&
        (applies.kind === undefined || applies.kind === context.workload.kind) &&
        isOne(applies.concealment, concealment) &&
        isOne(applies.persistence, persistence) &&
        needed.every((placeholder) => placeholders[placeholder]?.value(one) !== undefined)
      );
    },
    playbookFor(one) {
      const text = fillTemplate(template.trimEnd(), one);
      return script === undefined ? `${text}\n` : shellPlaybook(name, text.split("\n"));
    },
  };
}
