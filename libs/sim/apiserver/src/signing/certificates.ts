import { isIP } from "node:net";
import { generate } from "selfsigned";
import type { ClientCertificate } from "./client-certificate.ts";
import { signRequest } from "./sign-request.ts";

export interface Certificates {
  readonly caPem: string;
  readonly certPem: string;
  readonly keyPem: string;
  /** A certificate that authenticates its bearer: the name as common name, groups as organisations. */
  issueClient(user: ClientName): Promise<ClientCertificate>;
  /** A certificate for another party's key: the sender of a PKCS#10 request gets what it asks for. */
  signRequest(requestPem: string, usages: readonly string[]): Promise<string>;
}

export interface ClientName {
  readonly name: string;
  readonly groups: readonly string[];
}

/** The name in a server's certificate, when clients know it before the server starts. */
export interface Identity {
  /** Default: one of this process's own. */
  readonly authority?: ClientCertificate;
  /** Names and addresses of the server beside those of this machine. */
  readonly hosts?: readonly string[];
}

const lifetimeMs = 3650 * 86_400_000;

/** Whole years around now, so that a client's wrong clock does no harm. */
function validity(): { notBeforeDate: Date; notAfterDate: Date } {
  return {
    notBeforeDate: new Date(Date.now() - 86_400_000),
    notAfterDate: new Date(Date.now() + lifetimeMs),
  };
}

const common = { keyType: "ec", curve: "P-256", algorithm: "sha256" } as const;

async function createAuthority(): Promise<ClientCertificate> {
  const made = await generate([{ name: "commonName", value: "kubernetes" }], {
    ...common,
    ...validity(),
    extensions: [
      { name: "basicConstraints", cA: true, critical: true },
      { name: "keyUsage", keyCertSign: true, cRLSign: true, digitalSignature: true, critical: true },
    ],
  });
  return { certPem: made.cert, keyPem: made.private };
}

async function createCertificates({ authority, hosts = [] }: Identity): Promise<Certificates> {
  const ca = authority ?? (await createAuthority());
  const signedBy = { ...common, ...validity(), ca: { key: ca.keyPem, cert: ca.certPem } };
  const server = await generate([{ name: "commonName", value: "kube-apiserver" }], {
    ...signedBy,
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
          ...hosts.map((host) =>
            isIP(host) ? ({ type: 7, ip: host } as const) : ({ type: 2, value: host } as const),
          ),
        ],
      },
    ],
  });
  async function issueClient({ name, groups }: ClientName): Promise<ClientCertificate> {
    const organisations = groups.map((value) => ({ name: "organizationName", value }));
    const client = await generate([...organisations, { name: "commonName", value: name }], {
      ...signedBy,
      extensions: [
        { name: "basicConstraints", cA: false, critical: true },
        { name: "keyUsage", digitalSignature: true, keyEncipherment: true, critical: true },
        { name: "extKeyUsage", clientAuth: true },
      ],
    });
    return { certPem: client.cert, keyPem: client.private };
  }
  return {
    caPem: ca.certPem,
    certPem: server.cert,
    keyPem: server.private,
    issueClient,
    signRequest: (requestPem, usages) => signRequest(ca, requestPem, usages),
  };
}

let made: Promise<Certificates> | undefined;

/** One CA and one server certificate for all embedded clusters of this process: making them takes a while. */
export function certificates(identity?: Identity): Promise<Certificates> {
  if (identity) return createCertificates(identity);
  made ??= createCertificates({});
  return made;
}
