/** Files (PEM) with a server's own certificate, and with the CA of its clients' certificates. */
export interface ServerTls {
  readonly certFile: string;
  readonly keyFile: string;
  /** Given: clients must show a certificate of this authority. */
  readonly clientCaFile?: string;
}
