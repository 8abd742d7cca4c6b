import { webcrypto } from "node:crypto";
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  Pkcs10CertificateRequest,
  X509Certificate,
  X509CertificateGenerator,
} from "@peculiar/x509";
import type { ClientCertificate } from "./client-certificate.ts";

const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
/** Around now by the wall clock, so that a client's wrong clock does no harm. */
const dayMs = 86_400_000;
const lifetimeDays = 3650;

const extendedUsages: Readonly<Record<string, ExtendedKeyUsage>> = {
  "client auth": ExtendedKeyUsage.clientAuth,
  "server auth": ExtendedKeyUsage.serverAuth,
};

/** The certificate for a PKCS#10 request, signed by the cluster's CA. Throws when the request's own signature is wrong. */
export async function signRequest(
  authority: ClientCertificate,
  requestPem: string,
  usages: readonly string[],
): Promise<string> {
  const request = new Pkcs10CertificateRequest(requestPem);
  if (!(await request.verify(webcrypto)))
    throw new Error("the signature of the certificate request is wrong");
  const [der] = PemConverter.decode(authority.keyPem);
  if (!der) throw new Error("the authority has no key");
  const signingKey = await webcrypto.subtle.importKey("pkcs8", der, algorithm, false, ["sign"]);
  const extended = usages.flatMap((usage) => extendedUsages[usage] ?? []);
  const certificate = await X509CertificateGenerator.create(
    {
      subject: request.subjectName.toJSON(),
      issuer: new X509Certificate(authority.certPem).subjectName.toJSON(),
      notBefore: new Date(Date.now() - dayMs),
      notAfter: new Date(Date.now() + lifetimeDays * dayMs),
      signingAlgorithm: algorithm,
      publicKey: request.publicKey,
      signingKey,
      extensions: [
        new BasicConstraintsExtension(false, undefined, true),
        new KeyUsagesExtension(KeyUsageFlags.digitalSignature | KeyUsageFlags.keyEncipherment, true),
        ...(extended.length > 0 ? [new ExtendedKeyUsageExtension(extended)] : []),
      ],
    },
    webcrypto,
  );
  return `${certificate.toString("pem")}\n`;
}
