import { type CauseLabels, type Evidence, evidenceBy, printedBy, shellCall } from "@microremed/catalogue";

/** Makes JSON of lines with a name and a value, which may be missing. */
const asJson = `sed -E -e 's/^([^ ]+) *$/\\1 null/' -e 's/^([^ ]+) (.*)$/{"name":"\\1","value":\\2}/'`;

/** A line for each key of each ConfigMap. */
const keys = shellCall(
  `kubectl get configmaps -o jsonpath='{range .items[*]}{.metadata.name} {.data}{"\\n"}{end}' | ${asJson} | jq -r '.name as $n | "C \\($n)", ((.value // {}) | keys[] | "K \\($n) \\(.)")'`,
);

/** A line for each variable from a ConfigMap: the Deployment, the port of its container, the ConfigMap and the key. */
const wanted = shellCall(
  `kubectl get deployments -o jsonpath='{range .items[*]}{.metadata.name} {.spec.template.spec.containers}{"\\n"}{end}' | ${asJson} | jq -r '.name as $w | .value[] | .ports[0].containerPort as $p | .env[]?.valueFrom.configMapKeyRef | select(. != null and .optional != true) | "\\($w) \\($p) \\(.name) \\(.key)"'`,
);

/** A ConfigMap that is there, and has no key that a program of a Deployment needs to start. */
export const missingKey = (labels: CauseLabels): Evidence =>
  evidenceBy([keys, wanted], ([listed = "", needed = ""]) => {
    const there = new Set(printedBy(listed).split("\n"));
    return printedBy(needed)
      .split("\n")
      .flatMap((line) => {
        const [workload = "", port = "", name = "", key] = line.split(" ");
        if (key === undefined || !there.has(`C ${name}`) || there.has(`K ${name} ${key}`)) return [];
        const object = { kind: "ConfigMap", name };
        return [
          {
            object,
            field: `data.${key}`,
            wrong: "none",
            right: port,
            workload,
            seen: "cause" as const,
            ...labels,
          },
        ];
      });
  });
