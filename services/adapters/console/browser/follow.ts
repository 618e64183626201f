import { refusalOf } from './ask.ts';
import { createUpdateReader, type Update } from './updates.ts';

/** What a live feed reports. */
export interface FollowPorts {
  /** Everything follows: what was known before does not count. */
  readonly onBegin: () => void;
  readonly onUpdate: (update: Update) => void;
  readonly onLost: () => void;
  /** The gateway refuses the feed, which is over then. */
  readonly onRefused: (detail: string, status: number) => void;
}

const RETRY_MS = 1_000;
const THROTTLED = 429;

/**
 * Follows live positions until `leaving` is aborted. A cut line is gone on from behind the last
 * update that has an id (`Last-Event-ID`), so nothing is missed and nothing comes twice.
 */
export async function follow(
  address: string, ports: FollowPorts, leaving: AbortSignal,
): Promise<void> {
  let lastId: string | undefined;
  for (;;) {
    if (lastId === undefined) ports.onBegin();
    const response = await fetch(address, {
      credentials: 'same-origin', signal: leaving,
      headers: lastId === undefined ? {} : { 'last-event-id': lastId },
    }).catch(() => undefined);
    if (response !== undefined && response.status >= 400 && response.status < THROTTLED) {
      const refusal = refusalOf(response.status, await response.json().catch(() => ({})));
      ports.onRefused(refusal.ok ? '' : refusal.detail, response.status);
      return;
    }
    if (response?.ok === true && response.body !== null) {
      lastId = await readAll(response.body, ports, lastId);
    }
    if (hasLeft(leaving)) return;
    ports.onLost();
    const seconds = Number(response?.headers.get('retry-after') ?? 1);
    await new Promise((resolve) => setTimeout(resolve, seconds * RETRY_MS));
    if (hasLeft(leaving)) return;
  }
}

/** Asked again after each wait. */
function hasLeft(leaving: AbortSignal): boolean {
  return leaving.aborted;
}

/** Reads until the line ends or is cut; gives the id behind which to go on. */
async function readAll(
  body: ReadableStream<Uint8Array>, { onUpdate }: FollowPorts, lastId: string | undefined,
): Promise<string | undefined> {
  const read = createUpdateReader();
  const reader = body.getReader();
  let id = lastId;
  for (;;) {
    const piece = await reader.read().catch(() => undefined);
    if (piece?.value === undefined) return id;
    for (const update of read(piece.value)) {
      onUpdate(update);
      if (update.id !== '') ({ id } = update);
    }
  }
}
