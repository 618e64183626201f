/** What a connection by TLS needs beside its address; texts in PEM. */
export interface TlsTexts {
  /** Who signs the server's certificate; those of the system when absent. */
  readonly ca?: string;
  /** Our own certificate and its key, where the server asks for them. */
  readonly cert?: string;
  readonly key?: string;
}
