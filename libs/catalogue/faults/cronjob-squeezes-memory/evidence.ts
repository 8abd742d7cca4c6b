import { type CauseLabels, type Evidence, evidenceBy, parseQuantity, shellCall } from "@microremed/catalogue";

const container = "{.spec.template.spec.containers[0].resources.limits.memory}";
/** Limits of Deployments and of their revisions, and the variables of CronJobs. */
const limits = shellCall(
  [
    `kubectl get deployments -o jsonpath='{range .items[*]}D {.metadata.name} ${container}{"\\n"}{end}'`,
    `kubectl get replicasets -o jsonpath='{range .items[*]}R {.metadata.ownerReferences[0].name} {.metadata.annotations.deployment\\.kubernetes\\.io/revision} ${container}{"\\n"}{end}' | grep -v ' $'`,
    `kubectl get cronjobs -o jsonpath='{range .items[*]}C {.metadata.name} {.spec.jobTemplate.spec.template.spec.containers[0].name}{range .spec.jobTemplate.spec.template.spec.containers[0].env[*]} {.name}={.value}{end}{"\\n"}{end}'`,
  ].join("; "),
);
/** Hardly any program can live on so many bytes. */
const hardlyAny = 16 * 2 ** 20;

interface Revision {
  readonly of: string;
  readonly revision: number;
  readonly limit: string;
}

const revisionsIn = (text: string): Revision[] =>
  [...text.matchAll(/^R (\S+) (\d+) (\S+)$/gm)].map(([, of = "", revision = "", limit = ""]) => ({
    of,
    revision: Number(revision),
    limit,
  }));

/** A CronJob has the tiny memory limit of a Deployment in a variable, and the revision before had more. */
export const tinyLimitOfCronJob = (labels: CauseLabels): Evidence =>
  evidenceBy([limits], ([text = ""]) => {
    const revisions = revisionsIn(text);
    const variables = [...text.matchAll(/^C (\S+) (\S+) (.*)$/gm)].flatMap(
      ([, cronJob = "", name = "", env = ""]) =>
        [...env.matchAll(/(\w+)=(\S+)/g)].map(([, variable = "", value = ""]) => ({
          cronJob,
          field: `spec.jobTemplate.spec.template.spec.containers[name=${name}].env[name=${variable}].value`,
          value,
        })),
    );
    return [...text.matchAll(/^D (\S+) (\S+)$/gm)].flatMap(([, workload = "", limit = ""]) => {
      const setter = variables.find(({ value }) => value === limit);
      const before = revisions
        .filter((one) => one.of === workload && one.limit !== limit)
        .toSorted((a, b) => b.revision - a.revision)[0];
      if (!setter || !before || (parseQuantity(limit) ?? hardlyAny) >= hardlyAny) return [];
      return [
        {
          object: { kind: "CronJob", name: setter.cronJob },
          field: setter.field,
          wrong: limit,
          right: before.limit,
          workload,
          seen: "cause" as const,
          writes: [{ object: { kind: "Deployment", name: workload }, field: ".resources.limits.memory" }],
          ...labels,
        },
      ];
    });
  });
