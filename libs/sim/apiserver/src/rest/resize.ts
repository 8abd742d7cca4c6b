import {
  forbiddenField,
  invalidValue,
  podRules,
  qosClass,
  type ResourceType,
  validatePodSpec,
} from "@microremed/sim-kinds";
import {
  invalid,
  jsonEqual,
  type KubeObject,
  type Loose,
  type LooseRecord,
  type NewObject,
  type StatusCause,
} from "@microremed/sim-objects";

const resizable = new Set(["cpu", "memory"]);
const sides = ["requests", "limits"] as const;

/** A side without CPU and memory. */
const rest = (amounts: Loose): LooseRecord =>
  Object.fromEntries(Object.entries(amounts ?? {}).filter(([name]) => !resizable.has(name)));

function removed(at: string, old: Loose, next: Loose): StatusCause[] {
  return sides.flatMap((side) =>
    Object.keys(old?.[side] ?? {})
      .filter((name) => next?.[side]?.[name] === undefined)
      .map(() => forbiddenField(`${at}.${side}`, `resource ${side} cannot be removed`)),
  );
}

/** The list with the resources of the containers of the same names in `sent`: nothing else of it counts. */
function withResources(list: readonly Loose[], sent: readonly Loose[]): Loose[] {
  return list.map((container) => {
    const found = sent.find(({ name }) => name === container.name);
    if (!found) return container;
    const { resources, resizePolicy } = found;
    return { ...container, ...(resources && { resources }), ...(resizePolicy && { resizePolicy }) };
  });
}

/** The pod `old` with the resources that `sent` gives its containers. Throws 422. */
export function resizedPod(type: ResourceType, old: KubeObject, sent: NewObject): KubeObject {
  const containers = withResources(old.spec.containers, sent.spec?.containers ?? []);
  const { managedFields } = sent.metadata;
  const metadata = { ...old.metadata, ...(managedFields && { managedFields }) };
  const next = { ...old, metadata, spec: { ...old.spec, containers } };
  const causes = validatePodSpec("spec", next.spec, podRules);
  if (qosClass(old.spec) !== qosClass(next.spec)) {
    const detail = "Pod QOS Class may not change as a result of resizing";
    causes.push(invalidValue("spec", old.status?.qosClass ?? qosClass(old.spec), detail));
  }
  for (const [index, { resources }] of containers.entries()) {
    const before = old.spec.containers[index].resources;
    causes.push(...removed(`spec.containers[${index}].resources`, before, resources));
    if (sides.some((side) => !jsonEqual(rest(before?.[side]), rest(resources?.[side]))))
      causes.push(forbiddenField("spec", "only cpu and memory resources are mutable"));
  }
  if (causes.length > 0) throw invalid(type, old.metadata.name, causes);
  return next;
}
