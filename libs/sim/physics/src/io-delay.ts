import type { ContainerRuntime } from "@microremed/sim-machine";

/** Time that a request waits for its writes below a mount with a disk fault, on average, ms. */
export function ioDelayMs(container: ContainerRuntime): number {
  if (container.ioFaults.length === 0) return 0;
  const writes = container.behaviour?.writesPerRequest ?? {};
  return container.ioFaults.reduce((sum, fault) => {
    const affected = fault.methods === undefined || fault.methods.includes("write");
    const perRequest = affected ? (writes[fault.volumePath] ?? 0) : 0;
    return sum + perRequest * (fault.percent / 100) * fault.delayMs;
  }, 0);
}
