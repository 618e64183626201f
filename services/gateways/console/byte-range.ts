/** A part of a file. */
export interface ByteRange {
  readonly from: number;
  readonly bytes: number;
}

/** One range; fewer digits than would be no exact number. */
const RANGE = /^bytes=(\d{0,15})-(\d{0,15})$/i;

/**
 * The range that a header `Range` asks of a file of `size` bytes, and no more than `most` of it:
 * RFC 9110 lets a server send less (15.3.7). Undefined where there is none: no header, several
 * ranges, or one that is outside of the file.
 */
export function byteRange(
  header: string | undefined, size: number, most: number,
): ByteRange | undefined {
  const found = RANGE.exec(header?.trim() ?? '');
  if (found === null) return undefined;
  const [, first = '', last = ''] = found;
  if (first === '' && last === '') return undefined;
  const from = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size : Math.min(size, Number(last) + 1);
  return from < end ? { from, bytes: Math.min(most, end - from) } : undefined;
}
