import {
  type CauseLabels,
  type ChangedField,
  changedFields,
  commonCalls,
  type Evidence,
  evidenceBy,
  type Finding,
  parseQuantity,
} from "@microremed/catalogue";

const limit = /^(spec\.template\.spec\.containers)\[([^\]]+)\]\.resources\.limits\.(cpu|memory)$/;
/** A limit that was lowered to less than this share of what it was is no adjustment. */
const tooLittle = 0.5;
/** A limit where there was none that hardly any program can live on, cores. */
const hardlyAny = 0.02;

interface LimitChange {
  readonly resource: string;
  readonly was: string;
  readonly is: string;
}

/** The change log has what was written: limits, the CPU's among them, that were lowered to a fraction of what they were. */
export const loweredLimits = (labels: CauseLabels): Evidence =>
  evidenceBy([commonCalls.changes], ([log = ""]) => {
    const changed = Map.groupBy(
      changedFields(log).filter(({ field }) => limit.test(field)),
      ({ object, field }) => `${object.kind}/${object.name}/${limit.exec(field)?.[2]}`,
    );
    return [...changed.values()].flatMap((fields) => findingOf(fields, labels));
  });

function findingOf(fields: readonly ChangedField[], labels: CauseLabels): Finding[] {
  const [first] = fields;
  const changes = fields.flatMap(({ field, was, is }): LimitChange[] => {
    const resource = limit.exec(field)?.[3] ?? "";
    return [{ resource, was: plain(was), is: plain(is) }];
  });
  if (!first || !changes.some(isTooLittle)) return [];
  const container = limit.exec(first.field)?.[2];
  const words = (of: "was" | "is"): string =>
    changes.map((change) => `${change.resource} ${change[of]}`).join(", ");
  return [
    {
      object: first.object,
      field: `spec.template.spec.containers[name=${container}].resources.limits`,
      wrong: words("is"),
      right: words("was"),
      workload: first.object.name,
      seen: "cause",
      ...labels,
    },
  ];
}

function isTooLittle({ resource, was, is }: LimitChange): boolean {
  if (resource !== "cpu") return false;
  const [before, now] = [parseQuantity(was), parseQuantity(is)];
  if (now === undefined) return false;
  return before === undefined ? now <= hardlyAny : now < before * tooLittle;
}

const plain = (json: string | null): string => json?.replaceAll('"', "") ?? "none";
