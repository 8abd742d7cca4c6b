import {
  type AuditedIncident,
  type Environment,
  type KnownAnswer,
  type ObjectRef,
  wrongObjects,
} from "@microremed/catalogue";

const mostNamed = 20;

const workloadsOf = ({ workloads }: Environment): ObjectRef[] =>
  Object.entries(workloads).map(([name, { kind }]) => ({ kind, name }));

/** As far as an answer may be long. */
const everything = (environment: Environment): ObjectRef[] =>
  [
    ...workloadsOf(environment),
    ...Object.keys(environment.services).map((name) => ({ kind: "Service", name })),
  ].slice(0, mostNamed);

const idOf = ({ kind, name, namespace = "" }: ObjectRef): string => [kind, name, namespace].join("/");
const wrongIn = ({ truths }: AuditedIncident): ReadonlySet<string> =>
  new Set(truths.flatMap(wrongObjects).map(idOf));

/** Whether an answer with these objects and no others is right. */
function isExactly(incident: AuditedIncident, objects: readonly ObjectRef[]): boolean {
  const wrong = wrongIn(incident);
  return objects.length === wrong.size && objects.every((one) => wrong.has(idOf(one)));
}

/** Who names nothing, everything, one workload that is drawn, or what is wrong. */
export const knownAnswers: readonly KnownAnswer[] = [
  { name: "oracle", answer: ({ truths }) => ({ objects: truths.flatMap(wrongObjects) }), chance: () => 1 },
  { name: "always-no", answer: () => ({ objects: [] }), chance: ({ truths }) => Number(truths.length === 0) },
  {
    name: "always-yes",
    answer: ({ environment }) => ({ objects: everything(environment) }),
    chance: (incident) => Number(isExactly(incident, everything(incident.environment))),
  },
  {
    name: "random",
    answer: ({ environment }, rng) => ({ objects: [rng.pick(workloadsOf(environment))] }),
    chance: (incident) => {
      const all = workloadsOf(incident.environment);
      return all.filter((one) => isExactly(incident, [one])).length / all.length;
    },
  },
  { name: "empty", answer: () => ({}), chance: () => 0 },
];
