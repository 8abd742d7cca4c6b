/** Files (PEM) with which a server shows who it is, and tells who its clients are. */
export interface ServerTls {
  readonly certFile: string;
  readonly keyFile: string;
  /** Given: clients must show a certificate of this authority. */
  readonly clientCaFile?: string;
}
