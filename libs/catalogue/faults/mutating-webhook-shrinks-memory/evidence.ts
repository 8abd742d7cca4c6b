import {
  type CauseLabels,
  type Evidence,
  evidenceBy,
  isJsonObject,
  noSuchObject,
  parseJson,
  shellCall,
  workloadOfOwner,
} from "@microremed/catalogue";

const limit = "{.resources.limits.memory}";
const owner = "{.metadata.ownerReferences[0].kind}/{.metadata.ownerReferences[0].name}";
/**
 * Deployments with the memory limit of their first container, pods with that of theirs and with their labels, and webhooks that may
 * change objects with the pods that they are asked about.
 */
const limitsAndWebhooks = shellCall(
  [
    `kubectl get deployments -o jsonpath='{range .items[*]}D {.metadata.name} {range .spec.template.spec.containers[0]}${limit}{end}{"\\n"}{end}' | grep ' $'`,
    `kubectl get pods -o jsonpath='{range .items[*]}P ${owner} {range .spec.containers[0]}${limit}{end} {.metadata.labels}{"\\n"}{end}' | grep '^P [A-Z][^ ]* [0-9]'`,
    `kubectl get mutatingwebhookconfigurations -o jsonpath='{range .items[*]}{.metadata.name}{range .webhooks[*]}{"\\n"}W {.name} {.objectSelector.matchLabels}{end}{"\\n"}{end}'`,
  ].join("; "),
);

type Labels = Readonly<Record<string, unknown>>;
const labelsIn = (json: string): Labels => {
  const read = parseJson(json);
  return isJsonObject(read) ? read : {};
};
const selects = (selector: Labels, labels: Labels): boolean =>
  Object.keys(selector).length > 0 && Object.entries(selector).every(([key, value]) => labels[key] === value);

/** Webhooks with the labels that they select, and their configurations. */
function webhooksIn(text: string) {
  let configuration = "";
  return text.split("\n").flatMap((line) => {
    const [, name, json = ""] = /^W (\S+) (.*)$/.exec(line) ?? [];
    if (name !== undefined) return [{ configuration, name, selector: labelsIn(json) }];
    if (/^[a-z0-9.-]+$/.test(line)) configuration = line;
    return [];
  });
}

/** Pods have a memory limit that their Deployment does not give, and a webhook that changes pods is asked about them. */
export const filledInLimits = (labels: CauseLabels): Evidence =>
  evidenceBy([limitsAndWebhooks], ([text = ""]) => {
    const open = new Set([...text.matchAll(/^D (\S+) $/gm)].map(([, name = ""]) => name));
    const webhooks = webhooksIn(text);
    const found = new Map(
      [...text.matchAll(/^P (\S+) \S+ (\{.*\})$/gm)].flatMap(([, by = "", json = ""]) => {
        const workload = workloadOfOwner(by)?.name;
        const webhook = webhooks.find(({ selector }) => selects(selector, labelsIn(json)));
        return workload !== undefined && webhook && open.has(workload) ? [[workload, webhook]] : [];
      }),
    );
    return [...found].map(([workload, { configuration, name, selector }]) => ({
      object: { kind: "MutatingWebhookConfiguration", name: configuration },
      field: `webhooks[name=${name}].objectSelector`,
      wrong: JSON.stringify({ matchLabels: selector }),
      right: noSuchObject,
      workload,
      seen: "cause" as const,
      ...labels,
    }));
  });
