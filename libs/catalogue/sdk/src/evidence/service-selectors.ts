import { isJsonObject, parseJson } from "@microremed/core";
import { type ShownService, shownServices } from "./changed-services.ts";
import { changeFinding, changesByObject } from "./changed-workloads.ts";
import { commonCalls, shellCall } from "./common-calls.ts";
import { type CauseLabels, type Evidence, evidenceBy } from "./evidence.ts";

const columns = '{range .items[*]}{.metadata.name} {.spec.selector.matchLabels}{"\\n"}{end}';
/** A line for each workload: its name, and the selector of its pods as JSON. */
export const podLabels = shellCall(`kubectl get deployments,statefulsets -o jsonpath='${columns}'`);

type Labels = Readonly<Record<string, unknown>>;

/** Name and labels of each workload in the answer to `podLabels`. */
export const labelsOf = (answer: string): ReadonlyMap<string, Labels> =>
  new Map(
    answer.split("\n").flatMap((line) => {
      const [, name = "", json = ""] = /^([a-z0-9.-]+) (\{.*\})$/.exec(line) ?? [];
      const labels = parseJson(json);
      return isJsonObject(labels) ? [[name, labels] as const] : [];
    }),
  );

/**
 * Evidence in the selector of a Service that was changed: `isCause` says by what the Service leads to now whether it is the
 * fault. Right is the selector of the workload that has the most of the Service's labels, or its name.
 */
export const selectorEvidence = (
  labels: CauseLabels,
  isCause: (service: ShownService) => boolean,
): Evidence =>
  evidenceBy(
    [commonCalls.changes, commonCalls.topology, podLabels],
    ([log = "", topology = "", listed = ""]) => {
      const services = new Map(shownServices(topology).map((one) => [one.name, one]));
      const workloads = labelsOf(listed);
      return changesByObject(log).flatMap((changes) => {
        const [{ object }] = changes;
        const service = object.kind === "Service" ? services.get(object.name) : undefined;
        const change = changes.find(({ field }) => field.startsWith("spec.selector"));
        if (!service || !change || !isCause(service)) return [];
        const [name, right] = ownerOf(object.name, selectorIn(change.is), workloads) ?? [];
        const found = changeFinding({ ...change, field: "spec.selector" }, labels, name);
        return [{ ...found, right: right ? JSON.stringify(right) : "none" }];
      });
    },
  );

function selectorIn(json: string | null): Labels {
  const selector = parseJson(json ?? "");
  return isJsonObject(selector) ? selector : {};
}

function ownerOf(
  service: string,
  selector: Labels,
  workloads: ReadonlyMap<string, Labels>,
): readonly [string, Labels] | undefined {
  const shared = (labels: Labels): number =>
    Object.entries(labels).filter(([key, value]) => selector[key] === value).length;
  const rank = ([name, labels]: readonly [string, Labels]): number =>
    2 * shared(labels) + Number(name === service);
  return [...workloads].toSorted((a, b) => rank(b) - rank(a)).find((one) => rank(one) > 0);
}
