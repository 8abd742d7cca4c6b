import { generate } from "selfsigned";

export interface Certificates {
  readonly caPem: string;
  readonly certPem: string;
  readonly keyPem: string;
  /** A certificate that authenticates its bearer: the name as common name, groups as organisations. */
  issueClient(user: ClientName): Promise<ClientCertificate>;
}

export interface ClientName {
  readonly name: string;
  readonly groups: readonly string[];
}

export interface ClientCertificate {
  readonly certPem: string;
  readonly keyPem: string;
}

const lifetimeMs = 3650 * 86_400_000;

/** Whole years around now, so that a client's wrong clock does no harm. */
function validity(): { notBeforeDate: Date; notAfterDate: Date } {
  return {
    notBeforeDate: new Date(Date.now() - 86_400_000),
    notAfterDate: new Date(Date.now() + lifetimeMs),
  };
}

async function createCertificates(): Promise<Certificates> {
  const common = { keyType: "ec", curve: "P-256", algorithm: "sha256", ...validity() } as const;
  const authority = await generate([{ name: "commonName", value: "microremed-embedded-ca" }], {
    ...common,
    extensions: [
      { name: "basicConstraints", cA: true, critical: true },
      { name: "keyUsage", keyCertSign: true, cRLSign: true, digitalSignature: true, critical: true },
    ],
  });
  const server = await generate([{ name: "commonName", value: "kube-apiserver" }], {
    ...common,
    ca: { key: authority.private, cert: authority.cert },
    extensions: [
      { name: "basicConstraints", cA: false, critical: true },
      { name: "keyUsage", digitalSignature: true, keyEncipherment: true, critical: true },
      { name: "extKeyUsage", serverAuth: true },
      {
        name: "subjectAltName",
        altNames: [
          { type: 2, value: "localhost" },
          { type: 2, value: "kubernetes.default.svc" },
          { type: 2, value: "host.docker.internal" },
          { type: 7, ip: "127.0.0.1" },
          { type: 7, ip: "::1" },
        ],
      },
    ],
  });
  async function issueClient({ name, groups }: ClientName): Promise<ClientCertificate> {
    const organisations = groups.map((value) => ({ name: "organizationName", value }));
    const client = await generate([...organisations, { name: "commonName", value: name }], {
      ...common,
      ca: { key: authority.private, cert: authority.cert },
      extensions: [
        { name: "basicConstraints", cA: false, critical: true },
        { name: "keyUsage", digitalSignature: true, keyEncipherment: true, critical: true },
        { name: "extKeyUsage", clientAuth: true },
      ],
    });
    return { certPem: client.cert, keyPem: client.private };
  }
  return { caPem: authority.cert, certPem: server.cert, keyPem: server.private, issueClient };
}

let made: Promise<Certificates> | undefined;

/** One CA and one server certificate for all embedded clusters of this process: making them takes a while. */
export function certificates(): Promise<Certificates> {
  made ??= createCertificates();
  return made;
}
