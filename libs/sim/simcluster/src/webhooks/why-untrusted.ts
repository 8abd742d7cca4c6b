import { X509Certificate } from "node:crypto";

/** A server as a TLS client meets it. */
interface Served {
  /** What it shows, in PEM: its own certificate first. */
  readonly certificate: string;
  /** The name by which it was asked. */
  readonly host: string;
  /** Authorities to be trusted, PEM in base64; undefined: those of the machine, which sign no Service's certificate. */
  readonly caBundle: string | undefined;
  /** Cluster time, ms. */
  readonly now: number;
}

const block = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g;
const failed = (why: string): string => `tls: failed to verify certificate: x509: ${why}`;

function certificatesIn(pem: string): X509Certificate[] {
  return (pem.match(block) ?? []).flatMap((one) => {
    try {
      return [new X509Certificate(one)];
    } catch {
      return [];
    }
  });
}

/** Why a client does not trust a server's certificate, in the words of Go's crypto/x509; undefined: it does. */
export function whyUntrusted({ certificate, host, caBundle, now }: Served): string | undefined {
  const [own, ...between] = certificatesIn(certificate);
  if (!own) return "EOF";
  const from = Date.parse(own.validFrom);
  const to = Date.parse(own.validTo);
  const at = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, "Z");
  if (now < from || now > to)
    return failed(
      `certificate has expired or is not yet valid: current time ${at(now)} is ${now < from ? `before ${at(from)}` : `after ${at(to)}`}`,
    );
  const names = (own.subjectAltName ?? "").split(", ").flatMap((one) => /^DNS:(.*)$/.exec(one)?.[1] ?? []);
  if (names.length === 0) return failed("certificate relies on legacy Common Name field, use SANs instead");
  if (own.checkHost(host, { subject: "never" }) === undefined)
    return failed(`certificate is valid for ${names.join(", ")}, not ${host}`);
  const roots = certificatesIn(Buffer.from(caBundle ?? "", "base64").toString());
  return isSignedBy(own, roots, between) ? undefined : failed("certificate signed by unknown authority");
}

/** Whether a chain of signatures leads from a certificate to a root, by any of the certificates between them. */
function isSignedBy(
  own: X509Certificate,
  roots: readonly X509Certificate[],
  between: readonly X509Certificate[],
): boolean {
  if (roots.some((root) => root.fingerprint256 === own.fingerprint256 || hasSigned(root, own))) return true;
  return between.some(
    (one) =>
      hasSigned(one, own) &&
      isSignedBy(
        one,
        roots,
        between.filter((other) => other !== one),
      ),
  );
}

const hasSigned = (by: X509Certificate, one: X509Certificate): boolean =>
  by.ca && one.checkIssued(by) && one.verify(by.publicKey);
