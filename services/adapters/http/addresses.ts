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
  keep(url: string, address: Address): Address;
}

const ADDRESSES_MAX = 2_048;
const CHARACTERS_MAX = 512;

/**
 * Keeps what was made of addresses. Data comes to few of them again and again, and the same text
 * always means the same: operations are mounted once, at boot. When it is full all are forgotten.
 */
export function createAddresses(): Addresses {
  const kept = new Map<string, Address>();
  return {
    find: (url) => kept.get(url),
    keep(url, address) {
      if (url.length > CHARACTERS_MAX) return address;
      if (kept.size >= ADDRESSES_MAX) kept.clear();
      kept.set(url, address);
      return address;
    },
  };
}
