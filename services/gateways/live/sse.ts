/** Why a feed begins again; what came before it is not continued. */
export type ResetReason =
  /** The id was not given out for this feed, or cannot be read. */
  | 'unreadable'
  /** The log does not have what came after it any more. */
  | 'removed'
  /** A topic was made again. */
  | 'remade'
  /** So much has come since that the whole is cheaper. */
  | 'too_far'
  /** It is of a place that the log has not reached. */
  | 'ahead';

/** One event of a stream of server-sent events; `data` has no line breaks. */
export function sseEvent(event: string, data: string, id: string | undefined): Buffer {
  const idLine = id === undefined ? '' : `id: ${id}\n`;
  return Buffer.from(`${idLine}event: ${event}\ndata: ${data}\n\n`);
}

/** That everything follows again. */
export function sseReset(reason: ResetReason, id: string | undefined): Buffer {
  return sseEvent('reset', JSON.stringify({ reason }), id);
}

/** Where the feed stands, although nothing happened: the line is alive. */
export function sseMark(atMs: number, id: string): Buffer {
  return sseEvent('mark', JSON.stringify({ at_ms: atMs }), id);
}
