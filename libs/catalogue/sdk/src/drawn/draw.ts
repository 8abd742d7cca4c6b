import type { FaultParameters } from "@microremed/contracts";
import type { Rng } from "@microremed/core";
import type { z } from "zod";
import type { Fault, TruthContext } from "../fault.ts";

/** Where a value is drawn for. */
export type DrawnFor = Pick<TruthContext, "environment" | "target">;

/**
 * Draws the value that a parameter has in one problem: one that is wrong there and could be any team's, of a family too large
 * to be listed. Undefined: the parameter's own value.
 */
export type Draw<T = unknown> = (rng: Rng, where: DrawnFor) => T | undefined;

/** How the parameters of a fault or a noise are drawn, by name; those without a draw keep their own values. */
export type Draws<S extends z.ZodObject> = {
  readonly [K in keyof z.input<S>]?: Draw<NonNullable<z.input<S>[K]>>;
};

/** The parameters that a problem does not set are drawn, each from a stream of its own; undefined: nothing is set. */
export function drawnParameters(
  { drawn = {} }: Pick<Fault, "drawn">,
  where: DrawnFor,
  given: FaultParameters | undefined,
  rng: Rng,
): FaultParameters | undefined {
  const values = Object.entries(drawn)
    .filter(([name]) => !given || !Object.hasOwn(given, name))
    .flatMap(([name, draw]) => {
      const value = draw(rng.fork(name), where);
      return value === undefined ? [] : [[name, value] as const];
    });
  return values.length === 0 ? given : ({ ...Object.fromEntries(values), ...given } as FaultParameters);
}
