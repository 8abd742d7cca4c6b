import type { CallSpec, FlagEffect } from "@microremed/environments";
import { flagdState, flagValue } from "@microremed/sim-machine";
import type { Route, Station } from "./topology.ts";

/** A flag that a program asks for and that is on. */
export interface ActiveFlag {
  readonly effect: FlagEffect;
  /** As flagd has it; above 0. */
  readonly value: number;
  /** The call by which the program asks. */
  readonly asked: Pick<Route, "success">;
}

/** The flags that are on for a program, by what the flagd that it calls has read. */
export function activeFlags({ container, routes }: Pick<Station, "container" | "routes">): ActiveFlag[] {
  const effects = Object.entries(container.behaviour?.flags ?? {});
  if (effects.length === 0) return [];
  const servers = routes.flatMap((asked) =>
    asked.targets.flatMap(({ sandbox, station }) =>
      station?.container.behaviour?.runtime === "flagd"
        ? [{ asked, flags: flagdState(sandbox, station.container) }]
        : [],
    ),
  );
  return effects.flatMap(([name, effect]) => {
    const values = servers.map(({ flags }) => flagValue(flags, name));
    const value = values.reduce((sum, one) => sum + one, 0) / Math.max(1, values.length);
    const [server] = servers;
    return server && value > 0 ? [{ effect, value, asked: server.asked }] : [];
  });
}

/** A flag's value as the program gets it: what flagd does not answer is off. */
const strength = ({ value, asked }: ActiveFlag): number => value * asked.success;

/** Share of a call's requests that end in an error because a flag of the program called is on, 0..1. */
export function errorsByFlags(
  { flags }: Pick<Station, "flags">,
  { operation }: Pick<CallSpec, "operation">,
): number {
  let whole = 1;
  for (const flag of flags) {
    const { errors = 0, operation: hit } = flag.effect;
    if (hit === undefined || hit === operation) whole *= 1 - Math.min(1, errors * strength(flag));
  }
  return 1 - whole;
}

/** What a program says of the errors that a flag makes of a call's requests; undefined: there are none. */
export const errorByFlags = (
  { flags }: Pick<Station, "flags">,
  { operation }: Pick<CallSpec, "operation">,
): string | undefined =>
  flags.find(
    ({ effect }) => effect.errors && (effect.operation === undefined || effect.operation === operation),
  )?.effect.says;
