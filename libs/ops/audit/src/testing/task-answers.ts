import { type Environment, type GroundTruth, isHidden, wrongObjects } from "@microremed/catalogue";

/** Answers to a task by agents that need no telemetry: what each of them scores is known beforehand. */
export interface KnownAnswers {
  /** Knows the truth. Nothing that an agent can reach leads here: it is for audits alone. */
  oracle(truths: readonly GroundTruth[]): unknown;
  /** Always says that nothing is wrong. */
  readonly no: unknown;
  /** Always says that something is; of where, it names all that there is, as far as an answer may be long. */
  yes(environment: Environment): unknown;
  /** An answer of the right form, with nothing in it or with something else than was asked. */
  readonly empty: unknown;
}

const mostObjects = 20;

const everything = ({ workloads, services }: Environment) =>
  [
    ...Object.entries(workloads).map(([name, { kind }]) => ({ kind, name })),
    ...Object.keys(services).map((name) => ({ kind: "Service", name })),
  ].slice(0, mostObjects);

/** By the task's name, for every task that takes an answer. */
export const knownAnswers: Readonly<Record<string, KnownAnswers>> = {
  detection: {
    oracle: (truths) => ({ anomaly: truths.length > 0 }),
    no: { anomaly: false },
    yes: () => ({ anomaly: true }),
    empty: {},
  },
  localization: {
    oracle: (truths) => ({ objects: truths.flatMap(wrongObjects) }),
    no: { objects: [] },
    yes: (environment) => ({ objects: everything(environment) }),
    empty: {},
  },
  analysis: {
    oracle: (truths) => ({ causes: truths.flatMap(causeOf) }),
    no: { causes: [] },
    yes: (environment) => ({
      causes: everything(environment)
        .slice(0, mostCauses)
        .map((object) => ({ ...someCause, object })),
    }),
    empty: {},
  },
};

const mostCauses = 5;
const someCause = {
  field: "",
  wrong: "",
  right: "",
  mechanism: "faulty-code",
  system_level: "Application",
  fault_type: "Code Defect",
};

function causeOf(truth: GroundTruth) {
  const [object] = wrongObjects(truth);
  const visible = truth.objects.find((one) => !isHidden(one));
  const { field = "", wrong = "", right = "" } = visible ?? {};
  const { mechanism, systemLevel: system_level, faultType: fault_type } = truth;
  return object ? [{ object, field, wrong, right, mechanism, system_level, fault_type }] : [];
}
