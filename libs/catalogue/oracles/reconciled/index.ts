import {
  customKinds,
  defineOracle,
  judged,
  type KubeObject,
  type OracleVerdict,
  type Reconciled,
  type Round,
  readReconciled,
  type SymptomVerdict,
  symptomOf,
} from "@microremed/catalogue";

/** Each custom resource of the system is as it asks to be, as far as its operator says. */
export default defineOracle({
  name: "reconciled",
  description: "the custom resources that say whether they are Ready are so in their present version",
  cost: 4,
  async baseline(round) {
    return { resources: (await readAll(round)).length };
  },
  async measure(round) {
    const { at, pods, target } = round.state;
    const { environment, baseline } = round.context;
    return customKinds(environment).length === 0
      ? judgePods(target, pods.length, at)
      : judgeReconciled(await readAll(round), baseline["resources"] ?? 0, at);
  },
  symptom: async (round) => notReconciled(await readAll(round), round.state.at),
});

/** Those of the declared kinds that have a condition `Ready`. */
async function readAll({ context: { cluster, namespace, environment } }: Round): Promise<Reconciled[]> {
  const lists = await Promise.all(
    customKinds(environment).map(async (kind) => {
      const objects: readonly KubeObject[] = await cluster.list(kind, { namespace });
      return objects.map((object) => ({ ...object, kind: kind.kind }));
    }),
  );
  return lists.flat().flatMap(readReconciled);
}

const measured = (all: readonly Reconciled[], at: number) =>
  all.map(({ name, why }) => ({
    name: `${name} is reconciled`,
    value: why === undefined ? 1 : 0,
    unit: "",
    threshold: 1,
    at,
  }));

const problemsOf = (all: readonly Reconciled[]): string[] =>
  all.flatMap(({ name, why }) => (why === undefined ? [] : [`${name} ${why}`]));

/** Without custom resources nothing is to be reconciled, as long as the target is there. */
export function judgePods(target: string, pods: number, at: number): OracleVerdict {
  const problems = pods === 0 ? [`there are no pods of ${target}`] : [];
  const measurements = [{ name: `pods of ${target}`, value: pods, unit: "pods", threshold: 1, at }];
  return judged("reconciled", problems, "the environment has no custom resources", measurements);
}

/** `wanted`: how many there were in the healthy system. */
export function judgeReconciled(all: readonly Reconciled[], wanted: number, at: number): OracleVerdict {
  const problems = problemsOf(all);
  if (all.length < wanted) problems.push(`${all.length} custom resources say how they are, of ${wanted}`);
  return judged("reconciled", problems, "every custom resource is Ready", measured(all, at));
}

/** What was only just changed is no sign. */
export function notReconciled(all: readonly Reconciled[], at: number): SymptomVerdict {
  const said = problemsOf(all.filter(({ isSaid }) => isSaid));
  return symptomOf("reconciled", said, "every custom resource is Ready", measured(all, at));
}
