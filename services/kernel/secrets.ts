/** Makes and compares client secrets, of which only a keyed hash is ever stored. */
export interface Secrets {
  /** 256 random bits in characters that need no escaping anywhere. */
  newSecret(): string;
  /** The keyed hash under which a secret is stored: hexadecimal HMAC-SHA-256. */
  hash(secret: string): string;
  /**
   * True when the secret has one of the hashes. Takes the same time for any number of hashes up to
   * two, none included, so that an unknown client looks like a wrong secret.
   */
  matches(hashes: readonly string[], secret: string): boolean;
}
