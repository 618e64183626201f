import type { FixFormat } from '../fixes/updates.ts';

/** Content type of events. */
export const EVENTS = 'text/event-stream';

/** Content type of bytes. */
export const BINARY_FIXES = 'application/vnd.rastro.positions';

const QUALITY = /^q=([01](?:\.\d{0,3})?)$/;

/**
 * The form that an `Accept` asks for: bytes where it names them, unless it likes events as well.
 * Generated clients name all types of a document, and get the first.
 */
export function acceptedFormat(accept: string | undefined): FixFormat {
  const liked = qualities(accept ?? '');
  return (liked.get(BINARY_FIXES) ?? 0) > (liked.get(EVENTS) ?? 0) ? 'binary' : 'json';
}

/** How much each type is liked that the header names, from 0 to 1. */
function qualities(accept: string): ReadonlyMap<string, number> {
  return new Map(accept.split(',').map((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const quality = parameters.flatMap((part) => QUALITY.exec(part)?.[1] ?? [])[0] ?? 1;
    return [type, Number(quality)];
  }));
}
