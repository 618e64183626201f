import type { Mounted } from './answer-call.ts';
import type { QueryReading } from './request/read-query.ts';

/** What the router and the reader of queries made of the text of an address. */
export interface Address {
  readonly mounted: Mounted;
  readonly params: Readonly<Record<string, string>>;
  readonly query: QueryReading;
}

/** Addresses of one method that came lately, by their text. */
export interface Addresses {
  find(url: string): Address | undefined;
  keep(url: string, address: Address): void;
}

const GENERATION_MAX = 1_024;
const CHARACTERS_MAX = 512;

/**
 * Keeps what was made of addresses. Data comes to few of them again and again, and the same text
 * always means the same: operations are mounted once, at boot. Strangers may bring as many as they
 * like, so what is full grows old before it is forgotten, and what is asked for stays young.
 */
export function createAddresses(): Addresses {
  let young = new Map<string, Address>();
  let old = new Map<string, Address>();

  function keep(url: string, address: Address): void {
    if (url.length > CHARACTERS_MAX) return;
    if (young.size >= GENERATION_MAX) {
      old = young;
      young = new Map();
    }
    young.set(url, address);
  }

  return {
    keep,
    find(url) {
      const kept = young.get(url);
      if (kept !== undefined) return kept;
      const again = old.get(url);
      if (again !== undefined) keep(url, again);
      return again;
    },
  };
}
