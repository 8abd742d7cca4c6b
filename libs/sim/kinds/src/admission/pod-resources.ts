import { type Loose, parseQuantity } from "@microremed/sim-objects";

export type Side = "requests" | "limits";

/** A container's amount of a resource; undefined when it names none. */
export function amountOf(container: Loose, side: Side, resource: string): number | undefined {
  return parseQuantity(container?.resources?.[side]?.[resource]);
}

/** What a pod as a whole needs: its containers and sidecars together, or its largest init container. */
export function podAmount(spec: Loose, side: Side, resource: string): number {
  const amount = (container: Loose): number => amountOf(container, side, resource) ?? 0;
  const inits: readonly Loose[] = spec?.initContainers ?? [];
  const sidecars = inits.filter(({ restartPolicy }) => restartPolicy === "Always");
  const running = [...(spec?.containers ?? []), ...sidecars].reduce((sum, each) => sum + amount(each), 0);
  return Math.max(running, ...inits.filter((each) => !sidecars.includes(each)).map(amount));
}
