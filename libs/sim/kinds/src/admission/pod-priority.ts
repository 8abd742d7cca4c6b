import { forbidden, type NewObject } from "@microremed/sim-objects";
import type { Store } from "@microremed/sim-store";

const priorityClasses = { group: "scheduling.k8s.io", resource: "priorityclasses" };
const pods = { group: "", resource: "pods" };

/** What the Priority admission does: the class decides the number. Throws 403 for an unknown class. */
export function withPriority(store: Store, pod: NewObject): NewObject {
  const { name, generateName = "" } = pod.metadata;
  const wanted: string | undefined = pod.spec.priorityClassName || undefined;
  const found =
    wanted === undefined
      ? store.list(priorityClasses).find((each) => each["globalDefault"] === true)
      : store.get(priorityClasses, undefined, wanted);
  const refuse = (why: string): Error => forbidden(pods, name ?? generateName, why);
  if (wanted !== undefined && !found) throw refuse(`no PriorityClass with name ${wanted} was found`);
  const priority = Number(found?.["value"] ?? 0);
  const given: number = pod.spec.priority ?? priority;
  if (given !== priority && given !== 0) {
    throw refuse(
      `the integer value of priority (${given}) must not be provided in pod spec; priority admission controller computed ${priority} from the given PriorityClass name`,
    );
  }
  if (!found) return pod;
  const preemptionPolicy = found["preemptionPolicy"] ?? "PreemptLowerPriority";
  return {
    ...pod,
    spec: { ...pod.spec, priorityClassName: found.metadata.name, priority, preemptionPolicy },
  };
}
