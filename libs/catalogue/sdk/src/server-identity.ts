import { webcrypto } from "node:crypto";
import {
  BasicConstraintsExtension,
  type Extension,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from "@peculiar/x509";

/** A TLS server: what it shows and what it keeps, in PEM. */
export interface ServerIdentity {
  readonly certificate: string;
  readonly key: string;
  /** The authority's certificate, by which clients know the server's. */
  readonly authority: string;
}

/**
 * Keys in PKCS#8, in base64. They protect nothing: the servers are those of settings. They stay the same, and Ed25519 signs the same
 * text in the same way, so that one server has one certificate whenever it is made.
 */
const keys = {
  authority: "MC4CAQAwBQYDK2VwBCIEIPg9yslqWSQb8iM/fH6bJ3YQfvhC1WwMNSKj8xJFzcRy",
  server: "MC4CAQAwBQYDK2VwBCIEIEEjnsPjUBBO3/zkYhmqLilqlGU9PhHuWRv5JpP05N6f",
} as const;
const algorithm = { name: "Ed25519" } as const;
const validity = { notBefore: new Date("2025-06-01T00:00:00Z"), notAfter: new Date("2055-06-01T00:00:00Z") };
const issuer = "CN=policy-ca";

/** The certificate of a server with this DNS name, signed by an authority of its own. The same for the same name. */
export async function serverIdentity(host: string): Promise<ServerIdentity> {
  const [authority, server] = await Promise.all([keyPair(keys.authority), keyPair(keys.server)]);
  const signed = async (
    serialNumber: string,
    subject: string,
    publicKey: webcrypto.CryptoKey,
    extension: Extension,
  ) => {
    const made = await X509CertificateGenerator.create(
      {
        ...{ serialNumber, subject, issuer, publicKey, ...validity },
        ...{ signingAlgorithm: algorithm, signingKey: authority.privateKey, extensions: [extension] },
      },
      webcrypto,
    );
    return `${made.toString("pem")}\n`;
  };
  return {
    certificate: await signed(
      "02",
      `CN=${host}`,
      server.publicKey,
      new SubjectAlternativeNameExtension([{ type: "dns", value: host }]),
    ),
    key: `-----BEGIN PRIVATE KEY-----\n${keys.server}\n-----END PRIVATE KEY-----\n`,
    authority: await signed(
      "01",
      issuer,
      authority.publicKey,
      new BasicConstraintsExtension(true, undefined, true),
    ),
  };
}

async function keyPair(pkcs8: string) {
  const der = Buffer.from(pkcs8, "base64");
  const privateKey = await webcrypto.subtle.importKey("pkcs8", der, algorithm, true, ["sign"]);
  const { d: _secret, key_ops: _use, ...open } = await webcrypto.subtle.exportKey("jwk", privateKey);
  return {
    privateKey,
    publicKey: await webcrypto.subtle.importKey("jwk", open, algorithm, true, ["verify"]),
  };
}
