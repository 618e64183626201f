import type { DeviceId } from './ids.ts';

/** What the operation needs of a body that was not parsed. */
export interface ScannedBody {
  readonly deviceId: DeviceId;
  /** Items of its list. */
  readonly items: number;
  /** The very bytes that the exact path would write; may be the bytes that were handed in. */
  readonly canonical: Uint8Array;
}

/**
 * Goes once over a body instead of parsing it. `undefined` says nothing about the body, only that
 * the exact path must validate it. A scanner never takes what the exact path would refuse, and what
 * it takes leads to the same record, byte for byte (design.md, Raw bytes or canonical bytes).
 */
export type ScanBody = (bytes: Uint8Array) => ScannedBody | undefined;
