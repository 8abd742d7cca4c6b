/**
 * A name as one NATS token: characters other than letters, digits, dash and underscore become `=` and their code in
 * hex, so that different names stay different (`reference/noop` -> `reference=2fnoop`).
 */
export function subjectToken(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/g, (char) => `=${char.charCodeAt(0).toString(16).padStart(2, "0")}`);
}

/** The name that `subjectToken` made the token of. */
export function nameOfToken(token: string): string {
  return token.replace(/=([0-9a-f]{2})/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}
