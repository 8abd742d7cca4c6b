/** Values in a kubeconfig that must not be seen. Found by name in its text, so that no form of it is too odd. */
export function secretsOf(kubeconfig: string): string[] {
  const named = /["']?(?:token|password|client-key-data)["']?\s*:\s*["']?([^\s"',}]{8,})/g;
  return [...kubeconfig.matchAll(named)].flatMap((match) => (match[1] ? [match[1]] : []));
}

/** A text with every occurrence of the secrets struck out. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce((clean, secret) => clean.replaceAll(secret, "[secret]"), text);
}
