/** Files (PEM) for an encrypted connection. */
export interface TlsFiles {
  /** The authority that the server's certificate is checked with. Default: the ones that Node trusts. */
  readonly caFile?: string;
  /** Who we are, where the server wants to know: both or neither. */
  readonly certFile?: string;
  readonly keyFile?: string;
}

/** The files that the variables `<prefix>_CA_FILE`, `_CERT_FILE` and `_KEY_FILE` name; undefined: none does. */
export function tlsFilesFrom(
  prefix: "NATS" | "REDIS",
  variables: Readonly<Record<string, unknown>>,
): TlsFiles | undefined {
  const named = Object.entries({ caFile: "CA_FILE", certFile: "CERT_FILE", keyFile: "KEY_FILE" }).flatMap(
    ([field, suffix]) => {
      const file = variables[`${prefix}_${suffix}`];
      return typeof file === "string" && file !== "" ? [[field, file]] : [];
    },
  );
  return named.length === 0 ? undefined : Object.fromEntries(named);
}
