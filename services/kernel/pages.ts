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
  readonly content: Uint8Array | string;
}

/** Addresses that are read by people, beside the operations. */
export interface Pages {
  /** Whether an address may be a page; everything else is for the operations alone. */
  mayHave(path: string): boolean;
  /** The page, or `undefined` where there is none and the operations are asked. */
  find(call: PageCall): Promise<PageAnswer | undefined>;
}
