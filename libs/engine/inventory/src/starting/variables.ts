import type { TemplateContainer } from "./pod-template.ts";
import type { Lookup } from "./sources.ts";

/**
 * The variables that a kubelet gives a container: those of `envFrom` in their order, of which the last of one name
 * counts, and over them those of `env`. `$(NAME)` in a value means a variable of `env` before it, and stays as it is where
 * there is none. (kubelet_pods.go, makeEnvironmentVariables.)
 */
export function variablesOf(
  { env, envFrom }: TemplateContainer,
  lookup: Lookup,
): ReadonlyMap<string, string> {
  const all = new Map<string, string>();
  for (const { prefix, configMapRef, secretRef } of envFrom) {
    const held = {
      ...(configMapRef && lookup("ConfigMap", configMapRef.name)),
      ...(secretRef && lookup("Secret", secretRef.name)),
    };
    for (const [key, value] of Object.entries(held)) all.set(`${prefix}${key}`, value);
  }
  const before = new Map<string, string>();
  for (const { name, value, valueFrom } of env) {
    const { configMapKeyRef: map, secretKeyRef: secret } = valueFrom ?? {};
    const given = map
      ? lookup("ConfigMap", map.name)?.[map.key]
      : secret
        ? lookup("Secret", secret.name)?.[secret.key]
        : valueFrom
          ? JSON.stringify(valueFrom)
          : expanded(value, before);
    if (given === undefined) continue;
    before.set(name, given);
    all.set(name, given);
  }
  return all;
}

/** A container's command and arguments, with its variables in them. */
export function wordsOf(
  { command, args }: TemplateContainer,
  variables: ReadonlyMap<string, string>,
): string[] {
  return [...command, ...args].map((word) => expanded(word, variables));
}

/** `$$` is a `$` that begins nothing. */
function expanded(text: string, variables: ReadonlyMap<string, string>): string {
  return text.replace(/\$\$|\$\(([^)]*)\)/g, (all, name?: string) =>
    name === undefined ? "$" : (variables.get(name) ?? all),
  );
}
