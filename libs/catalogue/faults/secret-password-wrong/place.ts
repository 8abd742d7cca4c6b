import { type Environment, type Place, targetOf } from "@microremed/catalogue";

/** A key of a Secret with a password that a program logs in with, and what it holds. */
export interface PasswordKey {
  readonly secret: string;
  readonly key: string;
  readonly value: string;
}

/** The password with which a workload's program logs in to its database; undefined: it takes none from a Secret. */
export function passwordOf(place: Place | undefined, { secrets }: Environment): PasswordKey | undefined {
  const variable = place?.workload.calls.find(({ login, required }) => login && required)?.login?.password;
  if (!place || variable === undefined) return undefined;
  for (const from of place.container.envFrom) {
    const { prefix = "" } = from;
    if (!("secret" in from) || !variable.startsWith(prefix)) continue;
    const key = variable.slice(prefix.length);
    const value = secrets[from.secret]?.[key];
    if (value !== undefined) return { secret: from.secret, key, value };
  }
  return undefined;
}

/** The same of a target. Throws where there is none. */
export function passwordKey({
  environment,
  target,
}: {
  readonly environment: Environment;
  readonly target: string;
}): PasswordKey {
  const found = passwordOf(targetOf(environment, target), environment);
  if (!found) throw new Error(`${target} of ${environment.name} takes no password from a Secret`);
  return found;
}
