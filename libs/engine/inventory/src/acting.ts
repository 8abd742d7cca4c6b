import type { KubeObject } from "@microremed/cluster";
import { purposeOf } from "./digest.ts";
import { identityOf } from "./inventory.ts";
import type { ArenaObjects } from "./read-arena.ts";

/** Kinds of objects that act by being there, in the order of the docs. */
const actingKinds = new Set([
  "NetworkPolicy",
  "ResourceQuota",
  "LimitRange",
  "HorizontalPodAutoscaler",
  "MutatingWebhookConfiguration",
  "ValidatingWebhookConfiguration",
]);

export const isChaos = ({ apiVersion = "" }: KubeObject): boolean => apiVersion.startsWith("chaos-mesh.org/");

/** Whether an object acts on the pods, the traffic or the admission of an arena by being there. */
export const isActing = (object: KubeObject): boolean =>
  isChaos(object) || actingKinds.has(object.kind ?? "");

/** Everything that acts on an arena. */
export function actingOn({ objects, around }: Pick<ArenaObjects, "objects" | "around">): KubeObject[] {
  return [...objects, ...around].filter(isActing);
}

/** Distinguishes two objects of the same kind and name in two namespaces. */
export const placeOf = (object: KubeObject): string =>
  `${object.metadata.namespace ?? ""}/${identityOf(object)}`;

/** The same object with the same purpose: another one of its name has another uid. */
export const stampOf = (object: KubeObject): string => `${object.metadata.uid} ${purposeOf(object)}`;
