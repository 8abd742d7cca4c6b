import {
  type AuditedIncident,
  type Environment,
  FaultType,
  type GroundTruth,
  isHidden,
  type KnownAnswer,
  Mechanism,
  type ObjectRef,
  SystemLevel,
  wrongObjects,
} from "@microremed/catalogue";
import type { Cause } from "./cause.ts";

const mostCauses = 5;
const noField = { field: "", wrong: "", right: "" };

const workloadsOf = ({ workloads }: Environment): ObjectRef[] =>
  Object.entries(workloads).map(([name, { kind }]) => ({ kind, name }));

/** What no fault of the catalogue is called as a whole: nothing is said of field and values. */
const someCause = (object: ObjectRef): Cause => ({
  ...{ object, ...noField },
  mechanism: "faulty-code",
  system_level: "Application",
  fault_type: "Code Defect",
});

function causeOf(truth: GroundTruth) {
  const [object] = wrongObjects(truth);
  const visible = truth.objects.find((one) => !isHidden(one));
  const { field = "", wrong = "", right = "" } = visible ?? {};
  const { mechanism, systemLevel: system_level, faultType: fault_type } = truth;
  return object ? [{ object, field, wrong, right, mechanism, system_level, fault_type }] : [];
}

/** Chance of a workload and a mechanism that are drawn, without a field: one cause, and no field of it is asked for. */
function chanceOfDrawn({ truths, environment }: AuditedIncident): number {
  const [truth, ...others] = truths;
  if (!truth || others.length > 0) return 0;
  const asksField = truth.objects.some((one) => !isHidden(one) && one.field !== "");
  const all = workloadsOf(environment);
  const right = all.filter(({ kind, name }) =>
    wrongObjects(truth).some((one) => one.kind === kind && one.name === name),
  );
  return asksField ? 0 : right.length / all.length / Mechanism.options.length;
}

/** Chance of naming the mechanism of `someCause` for the first workloads, in an incident with as many. */
const chanceOfSome = (incident: AuditedIncident): number => {
  const named = workloadsOf(incident.environment).slice(0, mostCauses);
  const { truths } = incident;
  const isRight =
    truths.length === named.length && truths.every(({ mechanism }) => mechanism === "faulty-code");
  return Number(isRight && truths.every((truth) => truth.objects.every(isHidden)));
};

/** Who names nothing, everything, a cause that is drawn, or what is wrong. */
export const knownAnswers: readonly KnownAnswer[] = [
  { name: "oracle", answer: ({ truths }) => ({ causes: truths.flatMap(causeOf) }), chance: () => 1 },
  { name: "always-no", answer: () => ({ causes: [] }), chance: ({ truths }) => Number(truths.length === 0) },
  {
    name: "always-yes",
    answer: ({ environment }) => ({
      causes: workloadsOf(environment).slice(0, mostCauses).map(someCause),
    }),
    chance: chanceOfSome,
  },
  {
    name: "random",
    answer: ({ environment }, rng) => ({
      causes: [
        {
          object: rng.pick(workloadsOf(environment)),
          ...noField,
          mechanism: rng.pick(Mechanism.options),
          system_level: rng.pick(SystemLevel.options),
          fault_type: rng.pick(FaultType.options),
        },
      ],
    }),
    chance: chanceOfDrawn,
  },
  { name: "empty", answer: () => ({}), chance: () => 0 },
];
