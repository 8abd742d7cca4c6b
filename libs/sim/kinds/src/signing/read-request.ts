import { Pkcs10CertificateRequest } from "@peculiar/x509";

/** Who a PKCS#10 request asks to be: common name and organisations; undefined when it can't be read. */
export interface RequestedName {
  readonly pem: string;
  readonly name: string;
  readonly groups: readonly string[];
}

/** Reads `spec.request`: base64 of one PEM block. */
export function readSigningRequest(encoded: unknown): RequestedName | undefined {
  if (typeof encoded !== "string") return undefined;
  const pem = Buffer.from(encoded, "base64").toString("utf8").trim();
  if (!/^-----BEGIN CERTIFICATE REQUEST-----[^-]+-----END CERTIFICATE REQUEST-----$/.test(pem))
    return undefined;
  try {
    const { subjectName } = new Pkcs10CertificateRequest(pem);
    const [name = ""] = subjectName.getField("CN");
    return { pem, name, groups: subjectName.getField("O") };
  } catch {
    return undefined;
  }
}
