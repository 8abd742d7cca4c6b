import { users } from "@microremed/contracts";
import { newPassword } from "@microremed/servers";
import { newAuthority, newCertificate } from "./certificates.ts";
import { executorNamespace, systemNamespace } from "./places.ts";

/** A Secret with its values in plain text. */
export interface SecretManifest {
  readonly apiVersion: "v1";
  readonly kind: "Secret";
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly labels: Readonly<Record<string, string>>;
  };
  readonly type: string;
  readonly stringData: Readonly<Record<string, string>>;
}

/** Services that talk to clusters under test; each has an account of its own there. */
export const clusterServices = ["injector", "executor", "verifier"] as const;

/** Every Secret that the pods of overlay `dev` need. */
export async function devSecrets(): Promise<SecretManifest[]> {
  return [...Object.values(credentials(systemNamespace)).flat(), ...(await embeddedSecrets())];
}

/**
 * Those that the pods of `prod` need and that may be made up: keys of models and kubeconfigs are not among them, nor,
 * without `certificates`, what components/cert-manager brings.
 */
export async function prodSecrets({ certificates = true } = {}): Promise<SecretManifest[]> {
  return [
    ...Object.values(credentials(executorNamespace)).flat(),
    ...(certificates ? await backboneSecrets([systemNamespace, executorNamespace], []) : []),
  ];
}

/**
 * Those of both sides of MicroRemed-CS. `hosts`: names or addresses by which the LLM side reaches the cluster side.
 * The LLM side gets what a remediator may have and the authority to know the cluster side by.
 */
export async function splitSecrets(
  hosts: readonly string[],
): Promise<{ cluster: SecretManifest[]; llm: SecretManifest[] }> {
  const passwords = credentials(executorNamespace);
  const backbone = await backboneSecrets([systemNamespace, executorNamespace], hosts);
  const authority = backbone.find(({ metadata }) => metadata.name === "backbone-ca");
  const [remediator] = passwords["remediator"] ?? [];
  const { NATS_PASSWORD = "", REDIS_PASSWORD = "" } = remediator?.stringData ?? {};
  return {
    cluster: [...Object.values(passwords).flat(), ...backbone],
    llm: [
      // At the leaf node's own door; what it shows to the cluster side is another one.
      secret("remediator-credentials", systemNamespace, { NATS_PASSWORD: newPassword(), REDIS_PASSWORD }),
      secret("leaf-credentials", systemNamespace, { HUB_PASSWORD: NATS_PASSWORD }),
      secret("backbone-ca", systemNamespace, authority?.stringData ?? {}),
    ],
  };
}

/** A password for NATS and one for Redis per user, where the servers read them, and where the user does. */
function credentials(executors: string): Record<string, SecretManifest[]> {
  return Object.fromEntries(
    users.map((user) => {
      const data = {
        NATS_PASSWORD: newPassword(),
        ...(user !== "client" && { REDIS_PASSWORD: newPassword() }),
      };
      const places = user === "executor" ? new Set([systemNamespace, executors]) : [systemNamespace];
      return [user, [...places].map((namespace) => secret(`${user}-credentials`, namespace, data))];
    }),
  );
}

/** The embedded clusters' authority and the tokens of the services' accounts there. */
async function embeddedSecrets(): Promise<SecretManifest[]> {
  const authority = await newAuthority("kubernetes");
  const tokens = clusterServices.map((service) => [service, newPassword()] as const);
  const pair = { "tls.crt": authority.certPem, "tls.key": authority.keyPem };
  return [
    secret("embedded-authority", systemNamespace, pair, "kubernetes.io/tls"),
    secret("embedded-tokens", systemNamespace, Object.fromEntries(tokens)),
    ...tokens.map(([service, token]) =>
      secret(`${service}-kubeconfigs`, systemNamespace, { token, "ca.crt": authority.certPem }),
    ),
  ];
}

/** Names by which NATS and Redis are called within their cluster. */
export const backboneNames: readonly string[] = [
  ...["nats", "redis"].flatMap((name) => {
    const within = [name, `${name}.${systemNamespace}`, `${name}.${systemNamespace}.svc`];
    return [...within, `${name}.${systemNamespace}.svc.cluster.local`];
  }),
  ...["*.nats", `*.nats.${systemNamespace}.svc.cluster.local`],
];

/** The certificate of NATS and Redis and, in every namespace of clients, the authority to check it with. */
async function backboneSecrets(
  namespaces: readonly string[],
  hosts: readonly string[],
): Promise<SecretManifest[]> {
  const authority = await newAuthority("microremed-backbone-ca");
  const server = await newCertificate(authority, [...backboneNames, ...hosts]);
  const all = { "tls.crt": server.certPem, "tls.key": server.keyPem, "ca.crt": authority.certPem };
  return [
    secret("backbone-tls", systemNamespace, all, "kubernetes.io/tls"),
    ...namespaces.map((namespace) => secret("backbone-ca", namespace, { "ca.crt": authority.certPem })),
  ];
}

/** A Secret of the range. */
export function secret(
  name: string,
  namespace: string,
  stringData: Readonly<Record<string, string>>,
  type = "Opaque",
): SecretManifest {
  const labels = { "app.kubernetes.io/part-of": "microremed" };
  return { apiVersion: "v1", kind: "Secret", metadata: { name, namespace, labels }, type, stringData };
}
