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
export function newCertificate(authority: KeyPair, hosts: readonly string[]): Promise<KeyPair> {
  return issue(authority, { commonName: hosts[0] ?? "server" }, [
    { name: "keyUsage", digitalSignature: true, keyEncipherment: true, critical: true },
    { name: "extKeyUsage", serverAuth: true, clientAuth: true },
    {
      name: "subjectAltName",
      altNames: hosts.map((host) =>
        isIP(host) ? ({ type: 7, ip: host } as const) : ({ type: 2, value: host } as const),
      ),
    },
  ]);
}

/** The client that a certificate names: Kubernetes takes the common name for the user and organizations for groups. */
export interface ClientName {
  readonly user: string;
  readonly group?: string;
}

/** A certificate that identifies its holder to servers, of no host. Valid for five years. */
export function newClientCertificate(authority: KeyPair, { user, group }: ClientName): Promise<KeyPair> {
  const subject = { commonName: user, ...(group !== undefined && { organizationName: group }) };
  return issue(authority, subject, [
    { name: "keyUsage", digitalSignature: true, critical: true },
    { name: "extKeyUsage", clientAuth: true },
  ]);
}

type Extensions = NonNullable<NonNullable<Parameters<typeof generate>[1]>["extensions"]>;

/** A certificate for five years that an authority signs. It is no authority itself. */
async function issue(
  authority: KeyPair,
  subject: Readonly<Record<string, string>>,
  extensions: Extensions,
): Promise<KeyPair> {
  const made = await generate(
    Object.entries(subject).map(([name, value]) => ({ name, value })),
    {
      ...common(),
      ca: { key: authority.keyPem, cert: authority.certPem },
      extensions: [{ name: "basicConstraints", cA: false, critical: true }, ...extensions],
    },
  );
  return { certPem: made.cert, keyPem: made.private };
}
