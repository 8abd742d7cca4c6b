import {
  declaredWorkloads,
  defineNoise,
  type Environment,
  kinds,
  type NoisePlace,
  serviceOf,
  z,
} from "@microremed/catalogue";

export default defineNoise({
  name: "service-selector-narrowed",
  title: "A Service that asks for one more label",
  description:
    "A Service selects its pods by one more label, which all of its pods have. It leads to the same pods.",
  parameters: z.object({}),
  changes: ["spec.selector"],
  targets: (environment) =>
    declaredWorkloads(environment).filter((target) => labelFor({ environment, target }) !== undefined),
  decoys: (place) => {
    const service = serviceOf(place);
    return service ? [{ kind: "Service", name: service.name }] : [];
  },
  async place(context) {
    const [service, label] = [serviceOf(context), labelFor(context)];
    if (!service || !label) return;
    const [key, value] = label;
    const body = { spec: { selector: { [key]: value } } };
    await context.cluster.patch(kinds.service, context.namespace, service.name, { type: "merge", body });
  },
  async isSettled(context) {
    const name = serviceOf(context)?.name ?? "";
    const service = await context.cluster.get(kinds.service, context.namespace, name);
    return service?.spec?.selector?.[labelFor(context)?.[0] ?? ""] !== undefined;
  },
});

/** A label that all pods of the workload have and its Service does not ask for; undefined: there is none. */
function labelFor({
  environment,
  target,
}: Pick<NoisePlace, "target"> & { readonly environment: Environment }): [string, string] | undefined {
  const service = serviceOf({ environment, target });
  const labels = Object.entries(environment.workloads[target]?.labels ?? {});
  return service && labels.find(([key]) => !Object.hasOwn(service.spec.selector, key));
}
