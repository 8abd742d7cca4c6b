import { hasStatusSubresource } from "@microremed/sim-objects";
import { plainPrinter } from "./columns.ts";
import type { Printer, ResourceType, StoredAs, Subresource } from "./resource-type.ts";

export const allVerbs = [
  "create",
  "delete",
  "deletecollection",
  "get",
  "list",
  "patch",
  "update",
  "watch",
] as const;

/** The subresource `status` of a kind. */
export const statusSubresource = (kind: string): Subresource => ({
  name: "status",
  kind,
  verbs: ["get", "patch", "update"],
});

export const scaleSubresource: Subresource = {
  name: "scale",
  kind: "Scale",
  verbs: ["get", "patch", "update"],
  group: "autoscaling",
  version: "v1",
};

/** What differs from the usual kind: namespaced, with every verb and the columns NAME and AGE. */
export interface ResourceOptions {
  readonly short?: readonly string[];
  readonly categories?: readonly string[];
  readonly clusterScoped?: boolean;
  readonly verbs?: readonly string[];
  readonly subresources?: readonly Subresource[];
  readonly printer?: Printer;
  readonly singular?: string;
  readonly stored?: StoredAs;
}

/** Defines the resources of one group and version; what is usual need not be said. */
export function inGroup(
  group: string,
  version: string,
): (resource: string, kind: string, options?: ResourceOptions) => ResourceType {
  return (resource, kind, options = {}) => ({
    group,
    version,
    resource,
    kind,
    singular: options.singular ?? kind.toLowerCase(),
    namespaced: !options.clusterScoped,
    shortNames: options.short ?? [],
    categories: options.categories ?? [],
    verbs: options.verbs ?? allVerbs,
    subresources: [
      ...(hasStatusSubresource({ group, resource }) ? [statusSubresource(kind)] : []),
      ...(options.subresources ?? []),
    ],
    printer: options.printer ?? plainPrinter,
    ...(options.stored && { stored: options.stored }),
  });
}
