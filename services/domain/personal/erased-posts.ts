import { TOPICS } from '../../../schemas/generated/catalog.ts';
import type { Digest } from '../../kernel/digest.ts';
import {
  isDriverErased, providerName, type Driver, type ErasedDrivers,
} from '../../kernel/erased-drivers.ts';
import { isErased, type ErasedTracks } from '../../kernel/erased-tracks.ts';

/** What the log says is erased. */
export interface Erasures {
  readonly tracks: ErasedTracks;
  readonly drivers: ErasedDrivers;
}

/** Topics whose records are of one device or transport, which is their key. */
export const KEYED_TOPICS: ReadonlyMap<string, keyof ErasedTracks> = new Map([
  [TOPICS.locations.name, 'devices'], [TOPICS.overflowLocations.name, 'devices'],
  [TOPICS.telemetryEvents.name, 'devices'], [TOPICS.deferredEvents.name, 'transports'],
]);

/** A post of a device or about drivers, without its value. */
export interface KeyedPost {
  readonly topic: string;
  readonly key: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * True when a post is erased as a whole, as far as its key says whom it is about: that of a post
 * about drivers names the first.
 */
export function isErasedPost(
  { topic, key, headers }: KeyedPost, { tracks, drivers }: Erasures, digest: Digest,
): boolean {
  const atMs = Number(headers['received-at'] ?? 0);
  const keyed = KEYED_TOPICS.get(topic);
  if (keyed !== undefined) return isErased(tracks[keyed], key, atMs);
  if (topic !== TOPICS.deliveryLocations.name) return false;
  const { client = '', provider = '' } = headers;
  const erased = drivers.get(providerName(client, provider)) ?? [];
  return driversNamed(key.slice(provider.length + 1))
    .some((driver) => isDriverErased(erased, digest, driver, atMs));
}

/** `type|id` in each way in which a bar may divide them, since both may hold bars. */
function driversNamed(text: string): readonly Driver[] {
  const parts = text.split('|');
  return parts.slice(1).map((_, at): Driver => ({
    external_type: parts.slice(0, at + 1).join('|'), external_id: parts.slice(at + 1).join('|'),
  }));
}
