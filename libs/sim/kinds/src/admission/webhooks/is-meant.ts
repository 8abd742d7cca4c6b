import { isRecord, type KubeObject, type Loose, type NewObject } from "@microremed/sim-objects";
import { matchesLabels } from "../../selectors/selectors.ts";
import type { AdmissionOperation } from "../admission-hook.types.ts";

/** A write as webhooks select by it. */
export interface SelectableWrite {
  readonly operation: AdmissionOperation;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string | undefined;
  /** Undefined: the object is of no namespace. */
  readonly namespace: string | undefined;
  /** Undefined: it is deleted. */
  readonly object: NewObject | undefined;
  /** Undefined: it is new. */
  readonly old: KubeObject | undefined;
}

type Labels = Readonly<Record<string, string>>;

const has = (list: Loose, value: string): boolean =>
  Array.isArray(list) && (list.includes("*") || list.includes(value));

// `pods`, `pods/status`, `*` (no subresource), `pods/*`, `*/status`, `*/*`, as in a webhook's rules.
function namesResource(
  pattern: string,
  { resource, subresource }: Pick<SelectableWrite, "resource" | "subresource">,
): boolean {
  const [wanted = "", sub] = pattern.split("/");
  if (wanted !== "*" && wanted !== resource) return false;
  return sub === "*" || sub === subresource;
}

function isInScope(scope: Loose, { namespace, resource }: SelectableWrite): boolean {
  // A Namespace is of no namespace, though its requests name one.
  const isNamespaced = namespace !== undefined && resource !== "namespaces";
  return scope === undefined || scope === "*" || (scope === "Namespaced") === isNamespaced;
}

function fitsRule(rule: Loose, write: SelectableWrite): boolean {
  if (!isRecord(rule)) return false;
  const { operations, apiGroups, apiVersions, resources, scope } = rule as Loose;
  return (
    has(operations, write.operation) &&
    has(apiGroups, write.group) &&
    has(apiVersions, write.version) &&
    Array.isArray(resources) &&
    resources.some((pattern) => namesResource(String(pattern), write)) &&
    isInScope(scope, write)
  );
}

/** Configurations of webhooks themselves pass none: else no client could take a wrong one away. */
const exempt = new Set(["mutatingwebhookconfigurations", "validatingwebhookconfigurations"]);

/**
 * Whether a webhook is asked about a write: rules, namespaceSelector and objectSelector. `labelsOf`: the labels of a
 * namespace. Match conditions are not evaluated.
 */
export function isMeant(
  webhook: Loose,
  write: SelectableWrite,
  labelsOf: (namespace: string) => Labels | undefined,
): boolean {
  if (write.group === "admissionregistration.k8s.io" && exempt.has(write.resource)) return false;
  const rules: Loose = webhook.rules ?? [];
  if (!Array.isArray(rules) || !rules.some((rule) => fitsRule(rule, write))) return false;
  const objects = [write.object, write.old].flatMap((one) => one ?? []);
  const isSelected = objects.some(({ metadata }) => matchesLabels(webhook.objectSelector, metadata.labels));
  return isSelected && isNamespaceSelected(webhook.namespaceSelector, write, labelsOf);
}

function isNamespaceSelected(
  selector: Loose,
  write: SelectableWrite,
  labelsOf: (namespace: string) => Labels | undefined,
): boolean {
  if (write.group === "" && write.resource === "namespaces")
    return matchesLabels(selector, (write.object ?? write.old)?.metadata.labels);
  return write.namespace === undefined || matchesLabels(selector, labelsOf(write.namespace));
}
