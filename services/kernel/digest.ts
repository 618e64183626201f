/** SHA-256 of a text in UTF-8, as 64 lower-case hex digits. */
export type Digest = (text: string) => string;
