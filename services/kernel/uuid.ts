/**
 * A UUID of version 8 (RFC 9562) made from a hash in hex of 32 digits or more: the same hash gives
 * the same UUID.
 */
export function uuidOf(hash: string): string {
  const version = '8';
  const variant = ((Number.parseInt(hash.charAt(16), 16) & 0x3) | 0x8).toString(16);
  const hex = hash.slice(0, 12) + version + hash.slice(13, 16) + variant + hash.slice(17, 32);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)]
    .join('-');
}
