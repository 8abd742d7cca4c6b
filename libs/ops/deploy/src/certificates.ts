import { isIP } from "node:net";
import { generate } from "selfsigned";

/** A certificate and its key, PEM. */
export interface KeyPair {
  readonly certPem: string;
  readonly keyPem: string;
}

const lifetimeMs = 5 * 365 * 86_400_000;

function common() {
  const now = Date.now();
  return {
    keyType: "ec",
    curve: "P-256",
    algorithm: "sha256",
    notBeforeDate: new Date(now - 86_400_000),
    notAfterDate: new Date(now + lifetimeMs),
  } as const;
}

/** A certificate authority of five years. */
export async function newAuthority(name: string): Promise<KeyPair> {
  const made = await generate([{ name: "commonName", value: name }], {
    ...common(),
    extensions: [
      { name: "basicConstraints", cA: true, critical: true },
      { name: "keyUsage", keyCertSign: true, cRLSign: true, digitalSignature: true, critical: true },
    ],
  });
  return { certPem: made.cert, keyPem: made.private };
}

/** A certificate for servers of these names and addresses, which are each other's clients too. */
export async function newCertificate(authority: KeyPair, hosts: readonly string[]): Promise<KeyPair> {
  const made = await generate([{ name: "commonName", value: hosts[0] ?? "server" }], {
    ...common(),
    ca: { key: authority.keyPem, cert: authority.certPem },
    extensions: [
      { name: "basicConstraints", cA: false, critical: true },
      { name: "keyUsage", digitalSignature: true, keyEncipherment: true, critical: true },
      { name: "extKeyUsage", serverAuth: true, clientAuth: true },
      {
        name: "subjectAltName",
        altNames: hosts.map((host) =>
          isIP(host) ? ({ type: 7, ip: host } as const) : ({ type: 2, value: host } as const),
        ),
      },
    ],
  });
  return { certPem: made.cert, keyPem: made.private };
}

/** The client that a certificate names: Kubernetes takes the common name for the user and organizations for groups. */
export interface ClientName {
  readonly user: string;
  readonly group?: string;
}

/** A certificate that identifies its holder to servers, of no host. Valid for five years. */
export async function newClientCertificate(
  authority: KeyPair,
  { user, group }: ClientName,
): Promise<KeyPair> {
  const subject = [
    { name: "commonName", value: user },
    ...(group === undefined ? [] : [{ name: "organizationName", value: group }]),
  ];
  const made = await generate(subject, {
    ...common(),
    ca: { key: authority.keyPem, cert: authority.certPem },
    extensions: [
      { name: "basicConstraints", cA: false, critical: true },
      { name: "keyUsage", digitalSignature: true, critical: true },
      { name: "extKeyUsage", clientAuth: true },
    ],
  });
  return { certPem: made.cert, keyPem: made.private };
}
