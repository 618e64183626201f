/** What a file is: how many bytes, and which. */
export interface FileDigest {
  readonly bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
}

/** Files by name in a folder or a bucket; a name may have slashes. */
export interface FileStore {
  /** The bytes of a file; undefined where there is none. */
  read(name: string): Promise<Buffer | undefined>;
  /** Writes a file, which appears under its name only when it is whole. */
  write(name: string, chunks: AsyncIterable<string | Uint8Array>): Promise<FileDigest>;
  /** Writes a file unless there is one of its name; false when there is. */
  create(name: string, text: string): Promise<boolean>;
  /** What a file is by its bytes; undefined where there is none. */
  digest(name: string): Promise<FileDigest | undefined>;
  /** Removes a file; one that is not there is no failure. */
  remove(name: string): Promise<void>;
}
