import { type KubeObject, kinds, namespaceOf, type TruthContext, webhooksOf } from "@microremed/catalogue";
import type { Where } from "./parameters.ts";
import { authorityOf, buildPolicy, targetLabels } from "./policies.ts";

export const kind = kinds.mutatingWebhook;

/** The configuration, which has the only name that an arena may give one. */
export const configurationName = (context: TruthContext): string => webhooksOf(namespaceOf(context));

/** The webhook that is asked about the target's pods. */
export const webhookName = (where: Where): string => `${where.parameters.policy}.${namespaceOf(where)}.svc`;

/** A selector of pods for which a policy is meant. The systems have none. */
export const podsOfClass = (name: string) => ({ matchLabels: { "workload-class": name } });
/** Of the target's pods. */
export const podsOfTarget = (where: Where) => ({ matchLabels: targetLabels(where) });

/** Two webhooks, of which the first one is asked about the target's pods. */
export async function configurationOf(where: Where): Promise<KubeObject> {
  const namespace = namespaceOf(where);
  const { server, policy } = where.parameters;
  const caBundle = await authorityOf(where);
  const webhook = (name: string, path: string, objectSelector: object) => ({
    name,
    clientConfig: { service: { namespace, name: server, path: `/validate/${path}`, port: 443 }, caBundle },
    rules: [
      {
        ...{ apiGroups: [""], apiVersions: ["v1"], resources: ["pods"] },
        ...{ operations: ["CREATE"], scope: "Namespaced" },
      },
    ],
    namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": namespace } },
    objectSelector,
    failurePolicy: "Fail",
    sideEffects: "None",
    admissionReviewVersions: ["v1"],
    timeoutSeconds: 5,
  });
  return {
    ...kind,
    metadata: { name: configurationName(where) },
    webhooks: [
      webhook(webhookName(where), policy, podsOfTarget(where)),
      webhook(`${buildPolicy}.${namespace}.svc`, buildPolicy, podsOfClass("build")),
    ],
  };
}
