/** How much of a map file says what is in it: header and root directory (PMTiles 3, 3 and 4). */
export const MAP_HEAD_BYTES = 16_384;

const HEADER_BYTES = 127;
const MAGIC = 'PMTiles';
const VERSION = 3;
/** Offsets of the four sections in the header; each is an offset and a length of 8 bytes. */
const SECTIONS = { 'root directory': 8, 'metadata': 24, 'leaf directories': 40, 'tiles': 56 };
const ROOT_LENGTH = 16;
const [INNER_PACKING, TILE_PACKING, TILE_KIND] = [97, 98, 99];
const PACKINGS = ['unknown', 'none', 'gzip', 'brotli', 'zstd'];
/** Every browser unpacks these. */
const KNOWN_PACKINGS = ['none', 'gzip'];
const KINDS = ['unknown', 'mvt', 'png', 'jpeg', 'webp', 'avif', 'mlt'];
const SHOWN_KINDS = ['mvt', 'png', 'jpeg', 'webp', 'avif'];

/**
 * Why a file is no map that the console can show; undefined for one that it can. `head` is its
 * beginning, up to MAP_HEAD_BYTES.
 */
export function faultOfMap(head: Buffer, bytes: number): string | undefined {
  if (head.length < HEADER_BYTES || head.toString('latin1', 0, MAGIC.length) !== MAGIC) {
    return 'is no PMTiles archive';
  }
  const version = head.readUInt8(MAGIC.length);
  if (version !== VERSION) return `is PMTiles version ${version}; only version ${VERSION} is shown`;
  const cut = Object.entries(SECTIONS).find(([, at]) => (
    head.readBigUInt64LE(at) + head.readBigUInt64LE(at + 8) > BigInt(bytes)));
  if (cut !== undefined) return `ends before the end of its ${cut[0]}: the copy is not complete`;
  const rootEnd = head.readBigUInt64LE(SECTIONS['root directory']) + head.readBigUInt64LE(ROOT_LENGTH);
  if (rootEnd > BigInt(MAP_HEAD_BYTES)) return 'has its root directory beyond the first 16 KiB';
  const [inner = '', tiles = '', kind = ''] = [
    PACKINGS[head.readUInt8(INNER_PACKING)], PACKINGS[head.readUInt8(TILE_PACKING)],
    KINDS[head.readUInt8(TILE_KIND)],
  ];
  if (!KNOWN_PACKINGS.includes(inner)) return 'has directories that are packed neither by gzip nor at all';
  if (!SHOWN_KINDS.includes(kind)) return `has tiles that are none of ${SHOWN_KINDS.join(', ')}`;
  // Some writers say nothing of pictures, which are packed in themselves.
  const isPicture = kind !== 'mvt' && tiles === 'unknown';
  if (!KNOWN_PACKINGS.includes(tiles) && !isPicture) return 'has tiles that are packed neither by gzip nor at all';
  return undefined;
}
