import {
  type CauseLabels,
  changedFields,
  changeFinding,
  commonCalls,
  type Evidence,
  evidenceBy,
  shellCall,
} from "@microremed/catalogue";

const failing = '{.status.conditions[?(@.type=="ScalingActive")].message}';
/** A line for each autoscaler: what it scales, and what it says of its metrics. */
const scalers = shellCall(
  `kubectl get hpa -o jsonpath='{range .items[*]}{.spec.scaleTargetRef.kind}/{.spec.scaleTargetRef.name} ${failing}{"\\n"}{end}'`,
);

/** A request that was taken away, of a workload whose autoscaler asks for it. */
export const missingRequest = (labels: CauseLabels): Evidence =>
  evidenceBy([commonCalls.changes, scalers], ([log = "", said = ""]) => {
    const missed = new Map(
      [...said.matchAll(/^(\w+\/\S+) .*missing request for (\w+) in container (\S+) /gm)].map(
        ([, of = "", resource = "", container = ""]) => [
          of,
          `containers[${container}].resources.requests.${resource}`,
        ],
      ),
    );
    return changedFields(log).flatMap((change) => {
      const { object, field, is } = change;
      const wanted = missed.get(`${object.kind}/${object.name}`);
      return is === null && wanted !== undefined && field.endsWith(wanted)
        ? [changeFinding(change, labels)]
        : [];
    });
  });
