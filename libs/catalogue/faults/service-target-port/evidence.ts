import {
  type CauseLabels,
  changeFinding,
  changesByObject,
  commonCalls,
  type Evidence,
  evidenceBy,
  shellCall,
  shownServices,
} from "@microremed/catalogue";

const columns =
  '{range .items[*]}{.metadata.name}:{range .spec.template.spec.containers[*]}{range .ports[*]} {.containerPort}{end}{end}{"\\n"}{end}';
/** A line for each workload: its name and the ports of its containers. */
const ports = shellCall(`kubectl get deployments,statefulsets -o jsonpath='${columns}'`);

/** A Service was given a target port that no container behind it has. */
export const strangePort = (labels: CauseLabels): Evidence =>
  evidenceBy([commonCalls.changes, commonCalls.topology, ports], ([log = "", topology = "", listed = ""]) => {
    const portsOf = new Map(
      [...listed.matchAll(/^([a-z0-9.-]+):((?: \d+)*)$/gm)].map(([, name = "", all = ""]) => [
        name,
        all.split(" ").filter(Boolean),
      ]),
    );
    const services = new Map(shownServices(topology).map((one) => [one.name, one]));
    return changesByObject(log).flatMap((changes) => {
      const [{ object }] = changes;
      const [workload = ""] = (object.kind === "Service" && services.get(object.name)?.workloads) || [];
      const own = portsOf.get(workload) ?? [];
      const found = changes.find(
        ({ field, is }) =>
          /\.targetPort$/.test(field) && /^\d+$/.test(is ?? "") && own.length > 0 && !own.includes(is ?? ""),
      );
      return found ? [{ ...changeFinding(found, labels, workload), right: own[0] ?? "" }] : [];
    });
  });
