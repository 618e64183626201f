/** A file of the built documentation. */
export interface SiteFile {
  /** Its place below the folder of sites; where it is packed, the packed one ends with `.gz`. */
  readonly file: string;
  readonly contentType: string;
  /** Of its content, in hexadecimal. */
  readonly digest: string;
  /** True when another content would have another address. */
  readonly isImmutable: boolean;
  readonly isPacked: boolean;
}

/** What a build of the documentation consists of. Only addresses that it names are served. */
export interface SiteList {
  /** Digest of what it was made from, by which a build is found to be up to date. */
  readonly sources: string;
  /** Address of what is shown where there is no page. */
  readonly notThere: string;
  readonly files: Readonly<Record<string, SiteFile>>;
}

/** Name of the list in the folder of sites. */
export const SITE_LIST = 'site.json';

/** The documentation as it was built last. */
export interface Site {
  /** What it consists of now; `undefined` while there is none. */
  list(): Promise<SiteList | undefined>;
  /** The bytes of a file of it, packed or not; `undefined` when it is not there as a file. */
  read(file: SiteFile, isPacked: boolean): Promise<Uint8Array | undefined>;
}
