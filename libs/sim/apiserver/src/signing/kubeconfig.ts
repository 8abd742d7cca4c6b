import { dump } from "js-yaml";
import type { ClientCertificate } from "./client-certificate.ts";

export interface KubeconfigOptions {
  readonly cluster: string;
  readonly url: string;
  readonly caPem: string;
  readonly user: string;
  readonly credentials: Credentials;
  readonly namespace?: string;
}

export type Credentials = { readonly token: string } | ClientCertificate;

const base64 = (text: string): string => Buffer.from(text).toString("base64");

function userEntry(credentials: Credentials): object {
  if ("token" in credentials) return { token: credentials.token };
  return {
    "client-certificate-data": base64(credentials.certPem),
    "client-key-data": base64(credentials.keyPem),
  };
}

/** A kubeconfig with one context, as YAML text. */
export function renderKubeconfig({
  cluster,
  url,
  caPem,
  user,
  credentials,
  namespace,
}: KubeconfigOptions): string {
  return dump({
    apiVersion: "v1",
    kind: "Config",
    "current-context": cluster,
    clusters: [
      {
        name: cluster,
        cluster: { server: url, "certificate-authority-data": base64(caPem) },
      },
    ],
    users: [{ name: user, user: userEntry(credentials) }],
    contexts: [{ name: cluster, context: { cluster, user, ...(namespace && { namespace }) } }],
    preferences: {},
  });
}
