import { type CauseLabels, type Evidence, refusedEvidence, shellCall } from "@microremed/catalogue";

const named =
  '{range .items[*]}{.kind} {.metadata.name}{range .webhooks[*]} {.name}={.failurePolicy}{end}{"\\n"}{end}';
/** A line for each configuration: its webhooks, and what follows if they fail. */
const listing = shellCall(
  `kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations -o jsonpath='${named}'`,
);

/** Pods cannot be made, as a webhook that is to be asked about them does not answer. */
export const unansweredWebhook = (labels: CauseLabels): Evidence =>
  refusedEvidence(
    {
      filter: `grep 'failed calling webhook' | sed -E 's/ .*failed calling webhook "([^"]+)".*/ \\1/'`,
      listing,
      read: (listed) =>
        new Map(
          [...listed.matchAll(/^(\w+WebhookConfiguration) (\S+) (.*)$/gm)].flatMap(
            ([, kind = "", name = "", webhooks = ""]) =>
              [...webhooks.matchAll(/(\S+)=Fail\b/g)].map(([, webhook = ""]) => {
                const field = `webhooks[name=${webhook}].failurePolicy`;
                return [webhook, { object: { kind, name }, field, wrong: "Fail", right: "Ignore" }] as const;
              }),
          ),
        ),
    },
    labels,
  );
