import { describe, expect, it } from 'vitest';
import { createOffsetSeals } from '../../../services/adapters/secrets/offset-seals.ts';

const seals = createOffsetSeals('pepper-for-tests');
const offsets = Uint8Array.from([1, 2, 3, 255]);

describe('sealed offsets', () => {
  it('are opened by every copy of the deployment, for the feed that they are of', () => {
    const text = seals.seal(offsets, 'facts device');
    const other = createOffsetSeals('pepper-for-tests');
    expect([...other.open(text, 'facts device') ?? []]).toEqual([...offsets]);
    expect(other.open(text, 'facts journey')).toBeUndefined();
  });

  it('say nothing: two of the same offsets are not alike, and fit into a header', () => {
    const texts = [seals.seal(offsets, 'fixes'), seals.seal(offsets, 'fixes')];
    expect(new Set(texts).size).toBe(2);
    for (const text of texts) expect(text).toMatch(/^[\w-]+$/);
  });

  it('are not opened when they are made up, changed, of another deployment, or too long', () => {
    const text = seals.seal(offsets, 'fixes');
    for (const made of ['', 'AAAA', `${text.slice(0, -2)}zz`, `${text}AAAA`, 'A'.repeat(6_001)]) {
      expect(seals.open(made, 'fixes'), made.slice(0, 40)).toBeUndefined();
    }
    expect(createOffsetSeals('another-pepper-of-tests').open(text, 'fixes')).toBeUndefined();
  });
});
