/** Makes values that must not repeat or be guessed; handed in so that decisions stay pure. */
export interface Ids {
  /** A UUIDv7: rises with time. Names one accepted call (`Ingest-Id`). */
  ingestId(): string;
  /** A random name for one claim or request. */
  nonce(): string;
}
