import type { SpoolDraft } from './entry.ts';
import { BODY_BYTES_MAX } from './options.ts';
import { ItemTooLarge } from './errors.ts';

/** A call that takes a list: its path, the member of the list, and how many go at once. */
export interface ListCall {
  readonly name: string;
  readonly path: (provider: string) => string;
  readonly member: string;
  readonly itemsMax: number;
}

const RECEIVER = '/shipping/rtt/georeceiver';

/** The calls that take lists, with the limits of docs/reference/limits.md of the platform. */
export const LIST_CALLS = {
  'locations': {
    name: 'locations', path: (provider) => `${RECEIVER}/${provider}/locations`,
    member: 'locations', itemsMax: 1_000,
  },
  'events': {
    name: 'events', path: (provider) => `${RECEIVER}/${provider}/telemetry/events`,
    member: 'events', itemsMax: 500,
  },
  'delivery-locations': {
    name: 'delivery-locations',
    path: (provider) => `${RECEIVER}/proximity/${provider}/locations`,
    member: 'locations', itemsMax: 1_000,
  },
} as const satisfies Readonly<Record<string, ListCall>>;

/** The call of an entry, by its name there. */
export function listCall(name: string): ListCall {
  const found = Object.values<ListCall>(LIST_CALLS).find((each) => each.name === name);
  if (found === undefined) throw new Error(`The spool has a batch for the call ${name}.`);
  return found;
}

/** Items of one device for one call, which wait for others. */
export interface OpenBatch {
  readonly call: ListCall;
  readonly key: string;
  /** The members of the body before the list, as JSON without its braces. */
  readonly head: string;
  readonly items: string[];
  bytes: number;
}

/** `post_timestamp` and the marks of the list take less than this. */
const FRAME_BYTES = 100;

/** Bytes that are free for items in the body of a call. */
export function itemBytesMax(head: string): number {
  return BODY_BYTES_MAX - Buffer.byteLength(head) - FRAME_BYTES;
}

/** Items as JSON, each with its size; throws when one alone is larger than a call may be. */
export function encodeItems(
  items: readonly unknown[], head: string,
): readonly { readonly text: string; readonly bytes: number }[] {
  return items.map((item) => {
    const text = JSON.stringify(item);
    const bytes = Buffer.byteLength(text) + 1;
    if (bytes > itemBytesMax(head)) {
      throw new ItemTooLarge(`An item has ${bytes} bytes; a call has at most ${BODY_BYTES_MAX}.`);
    }
    return { text, bytes };
  });
}

/** True when one more item of this size goes into the batch. */
export function hasRoom({ call, head, items, bytes }: OpenBatch, more: number): boolean {
  return items.length < call.itemsMax && bytes + more <= itemBytesMax(head);
}

/** The body, written once: repeats send these bytes, so that the platform knows them again. */
export function closeBatch({ call, key, head, items }: OpenBatch, wallMs: number): SpoolDraft {
  const time = Math.floor(wallMs / 1_000);
  const text = `{${head},"post_timestamp":${time},"${call.member}":[${items.join(',')}]}`;
  return { head: { call: call.name, key, items: items.length }, body: Buffer.from(text) };
}
