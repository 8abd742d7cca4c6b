import { nameServerConfig } from "@microremed/cluster";
import { shownServices } from "../evidence/changed-services.ts";
import { commonCalls, printedBy, shellCall } from "../evidence/common-calls.ts";
import { type CauseLabels, type Evidence, evidenceBy } from "../evidence/evidence.ts";
import { hiddenBy, nameRules } from "./name-rules.ts";

const { namespace: systems, name, key } = nameServerConfig;
const corefile = shellCall(`kubectl -n ${systems} get configmap ${name} -o jsonpath='{.data.${key}}'`);

/** The Corefile has a rule that takes the name of one Service of the namespace, or of all of them. */
export const hiddenNames = (labels: CauseLabels, which: "one" | "all"): Evidence =>
  evidenceBy([corefile, commonCalls.topology], ([file = "", topology = ""], { namespace }) => {
    const services = shownServices(topology);
    const names = services.map((service) => service.name);
    return nameRules(printedBy(file), namespace).flatMap((rule) => {
      const hidden = hiddenBy(rule, namespace, names);
      const isAll = hidden.length > 1 || names.length === 1;
      const workload = services.find((one) => one.name === hidden[0])?.workloads[0];
      if (workload === undefined || isAll !== (which === "all")) return [];
      return [
        {
          object: { kind: "ConfigMap", name, namespace: systems },
          field: `data.${key}`,
          wrong: rule.text,
          right: "no such rule",
          workload,
          seen: "cause" as const,
          ...labels,
        },
      ];
    });
  });
