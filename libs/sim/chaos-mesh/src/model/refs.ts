import type { ResourceRef } from "@microremed/sim-objects";
import { chaosGroup } from "./chaos-kind.types.ts";

export const podsRef: ResourceRef = { group: "", resource: "pods" };
export const nodesRef: ResourceRef = { group: "", resource: "nodes" };
export const eventsRef: ResourceRef = { group: "", resource: "events" };

/** The store's name of a Chaos Mesh kind. */
export const chaosRef = (resource: string): ResourceRef => ({ group: chaosGroup, resource });
