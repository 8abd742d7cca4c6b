import { createRng } from "@microremed/core";

/**
 * Loaded before a service (`node --import`): its wall clock is wrong by up to ten minutes and jumps again and again.
 * Timers and `performance` go on as they do on a machine whose clock is set.
 */
const worstMs = 600_000;
const jumpEveryMs = 4_000;

const RealDate = globalThis.Date;
const rng = createRng(process.env["CLOCK_SEED"] ?? "", `clock of ${process.pid}`);
const draw = (): number => rng.int(2 * worstMs) - worstMs;
let ahead = draw();
setInterval(() => {
  ahead = draw();
}, jumpEveryMs).unref();

globalThis.Date = new Proxy(RealDate, {
  construct: (target, given: [], newTarget) =>
    Reflect.construct(target, given.length === 0 ? [target.now() + ahead] : given, newTarget),
  apply: (target) => new target(target.now() + ahead).toString(),
  get: (target, name) => (name === "now" ? () => target.now() + ahead : Reflect.get(target, name)),
});
