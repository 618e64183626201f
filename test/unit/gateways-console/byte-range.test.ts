import { describe, expect, it } from 'vitest';
import { byteRange } from '../../../services/gateways/console/byte-range.ts';

const SIZE = 1_000;
const MOST = 400;

describe('a range of bytes', () => {
  it.each([
    ['bytes=0-0', 0, 1], ['bytes=0-399', 0, 400], ['bytes=0-400', 0, 400], ['bytes=0-', 0, 400],
    ['bytes=999-', 999, 1], ['bytes=999-999', 999, 1], ['bytes=999-5000', 999, 1],
    ['bytes=-1', 999, 1], ['bytes=-5000', 0, 400], [' Bytes=10-19 ', 10, 10],
  ])('%j is from %d on %d bytes', (header, from, bytes) => {
    expect(byteRange(header, SIZE, MOST)).toEqual({ from, bytes });
  });

  it.each([
    undefined, '', 'bytes=', 'bytes=-', 'bytes=-0', 'bytes=1000-', 'bytes=1000-1001', 'bytes=2-1',
    'bytes=0-1,3-4', 'bytes=a-b', 'bytes= 0-1', 'items=0-1', 'bytes=0x1-2', 'bytes=1e3-',
    'bytes=9999999999999999-', 'bytes=0-99999999999999999999', 'bytes=--1', 'bytes=0-1\u0000',
  ])('%j is none', (header) => {
    expect(byteRange(header, SIZE, MOST)).toBeUndefined();
  });

  it('of an empty file is none', () => {
    expect(byteRange('bytes=0-', 0, MOST)).toBeUndefined();
    expect(byteRange('bytes=-1', 0, MOST)).toBeUndefined();
  });
});
