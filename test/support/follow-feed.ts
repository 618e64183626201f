import { readEvents, type SeenEvent } from './live-lines.ts';

/** A caller that follows a live feed over HTTP. */
export interface Follower {
  readonly status: number;
  readonly contentType: string;
  /** What came so far; a part of an event is none. */
  events(): readonly SeenEvent[];
  bytes(): Buffer;
  /** Resolves when the other side has ended the stream. */
  readonly ended: Promise<void>;
  lastId(): string | undefined;
  leave(): Promise<void>;
}

/** Calls a feed, and reads what comes until it ends or the caller leaves. */
export async function followFeed(
  url: string, token: string, lastEventId?: string,
): Promise<Follower> {
  const left = new AbortController();
  const response = await fetch(url, {
    signal: left.signal,
    headers: {
      authorization: `Bearer ${token}`,
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    },
  });
  let bytes = Buffer.alloc(0);
  const ended = read(response, (chunk) => { bytes = Buffer.concat([bytes, chunk]); });
  const events = (): readonly SeenEvent[] => readEvents(bytes.toString('utf8'));
  return {
    status: response.status,
    contentType: response.headers.get('content-type') ?? '',
    events, ended,
    bytes: () => bytes,
    lastId: () => events().at(-1)?.id,
    async leave() {
      left.abort();
      await ended;
    },
  };
}

/** However a stream ends, by either side or because the line is cut: it has ended. */
async function read(response: Response, onChunk: (chunk: Uint8Array) => void): Promise<void> {
  try {
    for await (const chunk of response.body ?? []) onChunk(chunk as Uint8Array);
  } catch {
    // A line that was cut ends the stream too.
  }
}

/** The map of who applies events of positions: latitude by device. */
export function latitudesOf(events: readonly SeenEvent[]): Readonly<Record<string, unknown>> {
  const map = new Map<string, unknown>();
  for (const { event, data } of events) {
    if (event === 'reset') map.clear();
    if (event !== 'positions') continue;
    for (const [id, , latitude] of data['positions'] as [string, unknown, unknown][]) {
      map.set(id, latitude);
    }
    for (const id of data['gone'] as string[]) map.delete(id);
  }
  return Object.fromEntries(map);
}

/** A fact as a follower reads it. */
export interface SeenFact {
  readonly kind: string;
  readonly record_id: string;
  readonly fact: Readonly<Record<string, unknown>>;
}

/** Every fact of these events. */
export function factsOf(events: readonly SeenEvent[]): readonly SeenFact[] {
  return events.filter(({ event }) => event === 'facts')
    .flatMap(({ data }) => data['facts'] as readonly SeenFact[]);
}
