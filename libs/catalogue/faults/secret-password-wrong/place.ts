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

/** Why there is none. */
export function noPassword(place: Place, environment: Environment): string {
  const { name, workload, container } = place;
  const needed = workload.calls.filter(({ required }) => required);
  const variable = needed.find(({ login }) => login)?.login?.password;
  if (variable !== undefined)
    return isReference(container.env[variable])
      ? `${name} takes its password by a reference (valueFrom), and the fault is in a Secret whose keys are all variables (envFrom)`
      : `${name} takes ${variable} from no Secret whose keys are all variables (envFrom)`;
  const string = needed.find(({ connectionString }) => connectionString !== undefined)?.connectionString;
  if (string !== undefined)
    return `the password of ${name} is part of a connection string (${string}), and the fault is in a key that holds the password alone`;
  return passesSecret(container, environment)
    ? `no call of ${name} that it needs has a login in the model, though it takes variables from a Secret`
    : `${name} takes no password from a Secret`;
}

const isReference = (value: unknown): boolean => typeof value === "object";

const passesSecret = ({ env, envFrom }: Place["container"], { secrets }: Environment): boolean =>
  envFrom.some((from) => "secret" in from && from.secret in secrets) ||
  Object.values(env).some((value) => typeof value === "object" && "secretKeyRef" in value);

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
