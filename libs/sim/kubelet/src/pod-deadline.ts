import type { EventLoop } from "@microremed/sim-time";

/** Ends a pod so many seconds after it began; the seconds may be set and changed while it runs. */
export function createDeadline(
  loop: Pick<EventLoop, "now" | "after">,
  expire: () => void,
): (seconds: number | undefined) => void {
  const beganAt = loop.now();
  let set: { readonly seconds: number; cancel(): void } | undefined;
  return (seconds) => {
    if (seconds === set?.seconds) return;
    set?.cancel();
    const left = Math.max(0, (seconds ?? 0) * 1000 - (loop.now() - beganAt));
    set =
      seconds === undefined ? undefined : { seconds, cancel: loop.after(left, "kubelet.deadline", expire) };
  };
}
