import type { MapFile, PageAnswer, PageCall } from '../../kernel/pages.ts';
import { hasVersion } from '../common/accepted.ts';
import { byteRange } from './byte-range.ts';

/** Many times the largest tile or directory that there is. */
const ANSWER_BYTES_MAX = 4_194_304;

/**
 * Answers with a part of a map file. Never with all of it: one call would be as long as the file is
 * large. What was written over is answered as a file that is not there, until a gateway starts
 * again: tiles of one map by the directories of another would be kept permanently.
 */
export async function answerMap(
  file: MapFile, call: PageCall, always: Readonly<Record<string, string>>,
): Promise<PageAnswer | undefined> {
  if (!await file.isSame()) return undefined;
  const etag = `"${file.digest}"`;
  const headers = { ...always, 'Accept-Ranges': 'bytes', 'ETag': etag };
  const kept = { ...headers, 'Cache-Control': 'public, max-age=31536000, immutable' };
  if (hasVersion(call, etag)) return { status: 304, headers: kept, content: '' };
  const condition = call.header('if-range');
  const range = condition === undefined || condition === etag
    ? byteRange(call.header('range'), file.bytes, ANSWER_BYTES_MAX) : undefined;
  if (range === undefined) {
    return {
      status: 416, content: `Ask for one range of bytes; an answer has at most ${ANSWER_BYTES_MAX}.\n`,
      headers: {
        ...headers, 'Cache-Control': 'no-store', 'Content-Range': `bytes */${file.bytes}`,
        'Content-Type': 'text/plain; charset=utf-8',
      },
    };
  }
  const { from, bytes } = range;
  return {
    status: 206, content: { bytes, read: () => file.read(from, bytes) },
    headers: {
      ...kept, 'Content-Type': 'application/vnd.pmtiles',
      'Content-Range': `bytes ${from}-${from + bytes - 1}/${file.bytes}`,
    },
  };
}
