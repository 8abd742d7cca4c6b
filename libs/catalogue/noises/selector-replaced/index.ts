import {
  defineNoise,
  type Environment,
  kinds,
  labelPods,
  relabelledService,
  rollableDeployments,
  serviceOf,
  untilRolledOut,
} from "@microremed/catalogue";

export default defineNoise({
  name: "selector-replaced",
  title: "A Service that asks for other labels",
  description:
    "The pods of a workload got one more label, and its Service asks for that and for one that all pods of the system have, instead of the labels before. It leads to the same pods.",
  ...relabelledService,
  targets: (environment) =>
    rollableDeployments(environment).filter((target) => {
      const service = serviceOf({ environment, target });
      return service !== undefined && sharedLabel(environment, target, service.spec.selector) !== undefined;
    }),
  async place(context) {
    const { cluster, namespace, environment, target } = context;
    const { label, value } = context.parameters;
    const service = serviceOf(context);
    const [key = "", shared = ""] = sharedLabel(environment, target, service?.spec.selector ?? {}) ?? [];
    if (!service || key === "") return;
    await labelPods(context);
    await untilRolledOut(context);
    const selector = { [key]: shared, [label]: value };
    const body = [{ op: "add", path: "/spec/selector", value: selector }];
    await cluster.patch(kinds.service, namespace, service.name, { type: "json", body });
  },
});

/** A label of a workload's pods that its Service does not ask for; undefined: there is none. */
const sharedLabel = (
  { workloads }: Environment,
  target: string,
  selector: Readonly<Record<string, string>>,
): readonly [string, string] | undefined =>
  Object.entries(workloads[target]?.labels ?? {}).find(([key]) => !Object.hasOwn(selector, key));
