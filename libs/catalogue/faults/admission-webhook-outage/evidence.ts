import {
  type CauseLabels,
  type Evidence,
  evidenceBy,
  shellCall,
  workloadOfOwner,
} from "@microremed/catalogue";

const owner = "{.involvedObject.kind}/{.involvedObject.name}";
const ofEvents = `kubectl get events --field-selector reason=FailedCreate -o jsonpath='{range .items[*]}${owner} {.message}{"\\n"}{end}'`;
const ofSets = `kubectl get rs -o jsonpath='{range .items[*]}{.kind}/{.metadata.name} {.status.conditions[?(@.type=="ReplicaFailure")].message}{"\\n"}{end}'`;
/** A line for each object for which no pods could be made, as a webhook did not answer: what it is, and the webhook. */
const failures = shellCall(
  `{ ${ofEvents}; ${ofSets}; } | grep 'failed calling webhook' | sed -E 's/ .*failed calling webhook "([^"]+)".*/ \\1/' | sort -u`,
);
const named =
  '{range .items[*]}{.kind} {.metadata.name}{range .webhooks[*]} {.name}={.failurePolicy}{end}{"\\n"}{end}';
/** A line for each configuration: its webhooks, and what follows if they fail. */
const configurations = shellCall(
  `for k in validating mutating; do kubectl get \${k}webhookconfigurations -o jsonpath='${named}'; done`,
);

/** Pods cannot be made, as a webhook that is to be asked about them does not answer. */
export const unansweredWebhook = (labels: CauseLabels): Evidence =>
  evidenceBy([failures, configurations], ([failed = "", listed = ""]) => {
    const of = new Map(
      [...listed.matchAll(/^(\w+WebhookConfiguration) (\S+) (.*)$/gm)].flatMap(
        ([, kind = "", name = "", webhooks = ""]) =>
          [...webhooks.matchAll(/(\S+)=Fail\b/g)].map(
            ([, webhook = ""]) => [webhook, { kind, name }] as const,
          ),
      ),
    );
    const found = [...failed.matchAll(/^([A-Z]\w*\/\S+) (\S+)$/gm)].flatMap(([, by = "", webhook = ""]) => {
      const [workload, object] = [workloadOfOwner(by), of.get(webhook)];
      return workload && object ? [{ workload: workload.name, object, webhook }] : [];
    });
    return [...Map.groupBy(found, ({ webhook }) => webhook).values()].flatMap(([first]) =>
      first === undefined
        ? []
        : [
            {
              object: first.object,
              field: `webhooks[name=${first.webhook}].failurePolicy`,
              wrong: "Fail",
              right: "Ignore",
              workload: first.workload,
              seen: "cause" as const,
              ...labels,
            },
          ],
    );
  });
