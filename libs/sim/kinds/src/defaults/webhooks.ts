import type { Loose, LooseRecord } from "@microremed/sim-objects";
import { fill } from "./pod-spec.ts";

function defaultWebhooks(object: LooseRecord, own: object): void {
  for (const webhook of (object["webhooks"] ?? []) as Loose[]) {
    fill(webhook, {
      failurePolicy: "Fail",
      matchPolicy: "Equivalent",
      namespaceSelector: {},
      objectSelector: {},
      timeoutSeconds: 10,
      ...own,
    });
    if (webhook.clientConfig?.service) fill(webhook.clientConfig.service, { port: 443 });
    for (const rule of webhook.rules ?? []) fill(rule, { scope: "*" });
  }
}

export const defaultValidatingWebhooks = (object: LooseRecord): void => defaultWebhooks(object, {});

export const defaultMutatingWebhooks = (object: LooseRecord): void =>
  defaultWebhooks(object, { reinvocationPolicy: "Never" });
