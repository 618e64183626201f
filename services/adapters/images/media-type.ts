import type { ProofImage } from '../../kernel/images.ts';

type Known = Exclude<ProofImage['media_type'], 'unknown'>;

const BEGINNINGS: readonly (readonly [Known, readonly number[]])[] = [
  ['image/png', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ['image/jpeg', [0xff, 0xd8, 0xff]],
  ['image/gif', ascii('GIF87a')],
  ['image/gif', ascii('GIF89a')],
  ['image/tiff', [0x49, 0x49, 0x2a, 0x00]],
  ['image/tiff', [0x4d, 0x4d, 0x00, 0x2a]],
  ['application/pdf', ascii('%PDF-')],
];

// Brands of the box that begins a file of the ISO base media format.
const BRANDS: Readonly<Record<string, Known>> = {
  heic: 'image/heic', heix: 'image/heic', heim: 'image/heic', heis: 'image/heic',
  mif1: 'image/heic', msf1: 'image/heic', avif: 'image/avif', avis: 'image/avif',
};

const SVG_LOOK_BYTES = 1_024;
const BITMAP_HEADER_BYTES = 14;

/** The kind of a picture by its first bytes; what follows them is never looked into. */
export function mediaTypeOf(bytes: Buffer): Known | undefined {
  const known = BEGINNINGS.find(([, first]) => first.every((each, at) => bytes[at] === each));
  if (known !== undefined) return known[0];
  const text = (from: number, to: number): string => bytes.toString('latin1', from, to);
  if (text(0, 4) === 'RIFF' && text(8, 12) === 'WEBP') return 'image/webp';
  if (text(4, 8) === 'ftyp') return BRANDS[text(8, 12)];
  // Two characters are little: the four reserved bytes of the header must be zero too.
  const isBitmap = text(0, 2) === 'BM' && bytes.length >= BITMAP_HEADER_BYTES
    && bytes.readUInt32LE(6) === 0;
  if (isBitmap) return 'image/bmp';
  return isSvg(bytes.toString('utf8', 0, SVG_LOOK_BYTES)) ? 'image/svg+xml' : undefined;
}

function isSvg(beginning: string): boolean {
  const text = beginning.replace(/^\uFEFF/, '').trimStart();
  return /^<(?:\?xml|!--|!DOCTYPE|svg)/i.test(text) && /<svg[\s>]/i.test(text);
}

function ascii(text: string): readonly number[] {
  return [...Buffer.from(text, 'latin1')];
}
