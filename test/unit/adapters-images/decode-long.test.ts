import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeImage } from '../../../services/adapters/images/decode.ts';
import { decodeLongImage } from '../../../services/adapters/images/decode-long.ts';
import type { LongText } from '../../../services/kernel/long-text.ts';
import { piecesOfText } from '../../../services/kernel/long-texts.ts';
import { finish } from '../../../services/kernel/steps.ts';

const PIECE_BYTES = 32;
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex').toString('base64');
const parts = fc.constantFrom(
  PNG, 'QUJD', 'QQ==', '=', '\n', '  ', '\u00a0', '%2B', '%3D', '%', '%C3%BC', '%C3', '%zz', '-_', 'ü', '😀', ',',
);
const heads = fc.constantFrom(
  '', ' \n', PNG, 'data:image/png;base64,', ' data:,', 'DATA:text/plain;x=1,', 'data:;base64 ,',
);
const texts = fc.tuple(heads, fc.array(parts, { maxLength: 40 }))
  .map(([head, rest]) => head + rest.join(''));

function longOf(text: string): LongText {
  const written = JSON.stringify(text).slice(1, -1);
  return { written: Buffer.from(written), hasEscapes: written.includes('\\') };
}

describe('an image in a long text', () => {
  it('[NOT-24] is what it is in a short one', () => {
    fc.assert(fc.property(texts, (text) => {
      const decoded = finish(decodeLongImage(
        longOf(text), (long) => piecesOfText(long, PIECE_BYTES),
      ));
      expect(decoded && { ...decoded, bytes: Buffer.from(decoded.bytes) }, text)
        .toEqual(decodeImage(text));
    }), { numRuns: 3_000 });
  });
});
