import { busyFactor } from "@microremed/core";

/** The promise's result; throws an error in words if there is none within the time (ms, longer on a busy machine). */
export function settleWithin<T>(promise: Promise<T>, ms: number): Promise<T> {
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const check = (): void => {
      if (performance.now() - startedAt < ms * busyFactor()) return;
      clearInterval(timer);
      reject(new Error(`it has not ended within ${ms / 1000} s`));
    };
    const timer = setInterval(check, Math.min(ms, 1_000));
    void promise.then(resolve, reject).finally(() => clearInterval(timer));
  });
}
