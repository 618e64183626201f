/** A call for a page, as its address says it: nothing is decoded. */
export interface PageCall {
  /** Without a query. */
  readonly path: string;
  readonly header: (name: string) => string | undefined;
}

/** A page as it is answered. */
export interface PageAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly content: Uint8Array | string | Pieces;
}

/** Content that is read as it is sent, so that little of it waits in memory for a slow reader. */
export interface Pieces {
  /** All of it. */
  readonly bytes: number;
  read(): AsyncIterable<Uint8Array>;
}

/** Addresses that are read by people, beside the operations. */
export interface Pages {
  /** Whether an address may be a page; everything else is for the operations alone. */
  mayHave(path: string): boolean;
  /** The page, or `undefined` where there is none and the operations are asked. */
  find(call: PageCall): Promise<PageAnswer | undefined>;
}

/** How the bytes of a file are packed; `identity` is not at all. */
export type Packing = 'br' | 'gzip' | 'identity';

/** A file that is the same for the life of a process. */
export interface StaticFile {
  readonly contentType: string;
  /** Of its content, in hexadecimal. */
  readonly digest: string;
  /** True when another content would have another address. */
  readonly isImmutable: boolean;
  /** Its bytes, packed once for all who ask. */
  read(packing: Packing): Promise<Uint8Array>;
}

/** The map of an operator: one large file of tiles, of which callers read parts. */
export interface MapFile {
  readonly bytes: number;
  /** Of its content, in hexadecimal; the same for the same file on each machine. */
  readonly digest: string;
  /** Whether the file is as it was when it was opened; parts of two do not belong together. */
  isSame(): Promise<boolean>;
  /** A part of it, piece by piece. */
  read(from: number, bytes: number): AsyncIterable<Uint8Array>;
}

/** The pages of the console as files, by their address. */
export interface ConsoleFiles {
  readonly files: ReadonlyMap<string, StaticFile>;
  /** Where the map is that the operator mounted. */
  readonly map?: { readonly address: string; readonly file: MapFile } | undefined;
  /** Of the one script that a page has inside: SHA-256 in Base64. */
  readonly scriptDigest: string;
}
