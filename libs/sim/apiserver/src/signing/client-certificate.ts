/** Who signs with it, or shows it to an API server. */
export interface ClientCertificate {
  readonly certPem: string;
  readonly keyPem: string;
}
