import type { Loose, NewObject, StatusCause } from "@microremed/sim-objects";
import { duplicate, invalidLiteral, invalidValue, notSupported, required } from "../fields/field-errors.ts";

const goStrings = (list: readonly unknown[]): string =>
  `[]string{${list.map((one) => JSON.stringify(one)).join(", ")}}`;
const known = ["v1", "v1beta1"];

function validateRule(rule: Loose, at: string): StatusCause[] {
  return ["operations", "apiGroups", "apiVersions", "resources"]
    .filter((field) => !(rule?.[field]?.length > 0))
    .map((field) => required(`${at}.${field}`));
}

function validateClient(client: Loose, at: string): StatusCause[] {
  const { url, service } = client ?? {};
  if ((url === undefined) === (service === undefined))
    return [required(at, "exactly one of url or service is required")];
  if (url !== undefined)
    return String(url).startsWith("https://")
      ? []
      : [
          invalidValue(
            `${at}.url`,
            url,
            "'https' is the only allowed URL scheme; desired format: https://host[/path]",
          ),
        ];
  return ["name", "namespace"]
    .filter((field) => !service?.[field])
    .map((field) => required(`${at}.service.${field}`, `service ${field} is required`));
}

function validateWebhook(webhook: Loose, at: string): StatusCause[] {
  const { name, failurePolicy, matchPolicy, timeoutSeconds, sideEffects, admissionReviewVersions } =
    webhook ?? {};
  const causes: StatusCause[] = [];
  if (!name) causes.push(required(`${at}.name`));
  else if (String(name).split(".").length < 3)
    causes.push(
      invalidValue(`${at}.name`, name, "should be a domain with at least three segments separated by dots"),
    );
  const rules: readonly Loose[] = webhook?.rules ?? [];
  causes.push(...rules.flatMap((rule, index) => validateRule(rule, `${at}.rules[${index}]`)));
  for (const [field, value, values] of [
    ["failurePolicy", failurePolicy, ["Fail", "Ignore"]],
    ["matchPolicy", matchPolicy, ["Equivalent", "Exact"]],
    ["reinvocationPolicy", webhook?.reinvocationPolicy, ["IfNeeded", "Never"]],
  ] as const)
    if (value !== undefined && !(values as readonly unknown[]).includes(value))
      causes.push(notSupported(`${at}.${field}`, value, values));
  const effects = ["None", "NoneOnDryRun"];
  if (sideEffects === undefined)
    causes.push(required(`${at}.sideEffects`, `must specify one of ${effects.join(", ")}`));
  else if (!effects.includes(sideEffects))
    causes.push(notSupported(`${at}.sideEffects`, sideEffects, effects));
  if (timeoutSeconds > 30 || timeoutSeconds < 1)
    causes.push(
      invalidValue(
        `${at}.timeoutSeconds`,
        timeoutSeconds,
        "the timeout value must be between 1 and 30 seconds",
      ),
    );
  const versions: readonly unknown[] = admissionReviewVersions ?? [];
  if (versions.length === 0)
    causes.push(required(`${at}.admissionReviewVersions`, `must specify one of ${known.join(", ")}`));
  else if (!versions.some((one) => known.includes(String(one))))
    causes.push(
      invalidLiteral(
        `${at}.admissionReviewVersions`,
        goStrings(versions),
        `must include at least one of ${known.join(", ")}`,
      ),
    );
  return [...causes, ...validateClient(webhook?.clientConfig, `${at}.clientConfig`)];
}

export function validateWebhooks(object: NewObject): StatusCause[] {
  const all = (object["webhooks"] ?? []) as readonly Loose[];
  const names = new Set<unknown>();
  return all.flatMap((webhook, index) => {
    const at = `webhooks[${index}]`;
    const isKnown = webhook?.name !== undefined && names.has(webhook.name);
    names.add(webhook?.name);
    return [...validateWebhook(webhook, at), ...(isKnown ? [duplicate(`${at}.name`, webhook.name)] : [])];
  });
}
