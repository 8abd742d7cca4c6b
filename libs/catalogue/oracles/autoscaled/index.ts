import {
  defineOracle,
  judged,
  type KubeObject,
  kinds,
  type Measurement,
  type OracleVerdict,
  type Round,
  type SymptomVerdict,
  symptomOf,
  z,
} from "@microremed/catalogue";

/** Every autoscaler of the arena computes how many replicas its workload needs. */
export default defineOracle({
  name: "autoscaled",
  description: "every autoscaler computes how many replicas its workload needs",
  cost: 9,
  async baseline(round) {
    return { autoscalers: (await readScalers(round)).length };
  },
  measure: async (round) =>
    judgeScalers(await readScalers(round), round.context.baseline["autoscalers"] ?? 0, round.state.at),
  symptom: async (round) => blindScalers(await readScalers(round), round.state.at),
});

/** What an autoscaler says of itself. */
export interface Scaler {
  readonly name: string;
  /** Whether it computes a number of replicas from its metrics; null: it has not said yet. */
  readonly isActive: boolean | null;
  /** Why not, in the controller's words. */
  readonly reason: string;
  readonly message: string;
}

const Status = z.object({
  conditions: z
    .array(
      z.object({
        type: z.string(),
        status: z.string(),
        reason: z.string().default(""),
        message: z.string().default(""),
      }),
    )
    .default([]),
});

async function readScalers({ context: { cluster, namespace } }: Round): Promise<Scaler[]> {
  return (await cluster.list(kinds.horizontalPodAutoscaler, { namespace })).map(scalerOf);
}

export function scalerOf({ metadata, ...object }: KubeObject): Scaler {
  const { conditions = [] } = Status.safeParse(object["status"] ?? {}).data ?? {};
  const { status, reason, message } = conditions.find(({ type }) => type === "ScalingActive") ?? {};
  return {
    name: metadata.name,
    isActive: status === undefined ? null : status === "True",
    reason: reason ?? "",
    message: message ?? "",
  };
}

/** Scaled to 0 by hand: that it computes nothing then is no sign of anything else. */
const scaledAway = "ScalingDisabled";
/** New pods have no readings for some seconds: every rollout says so. */
const isWaiting = /no metrics returned|did not receive metrics/;

const measured = (scalers: readonly Scaler[], at: number): Measurement[] =>
  scalers.map(({ name, isActive }) => ({
    name: `whether ${name} computes replicas`,
    value: isActive === null ? null : Number(isActive),
    unit: "",
    threshold: 1,
    at,
  }));

/** `wanted`: how many autoscalers there were in the healthy system. */
export function judgeScalers(scalers: readonly Scaler[], wanted: number, at: number): OracleVerdict {
  const problems = scalers.flatMap(({ name, isActive, message }) =>
    isActive === true ? [] : [`the autoscaler ${name} computes nothing${message && `: ${message}`}`],
  );
  if (scalers.length < wanted) problems.push(`there are ${scalers.length} autoscalers of ${wanted}`);
  return judged("autoscaled", problems, "every autoscaler computes its replicas", measured(scalers, at));
}

export function blindScalers(scalers: readonly Scaler[], at: number): SymptomVerdict {
  const signs = scalers.flatMap(({ name, isActive, reason, message }) =>
    isActive === false && reason !== scaledAway && !isWaiting.test(message)
      ? [`the autoscaler ${name} computes nothing: ${message}`]
      : [],
  );
  return symptomOf("autoscaled", signs, "every autoscaler computes its replicas", measured(scalers, at));
}
