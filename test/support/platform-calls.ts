/** An answer over HTTP, read completely. */
export interface PlatformReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The JSON of the answer; an empty object when it is none. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** What a call has beside its path. A body that is no string or bytes is sent as JSON. */
export interface PlatformCallWishes {
  readonly method?: string;
  readonly body?: unknown;
  readonly token?: string;
  /** Further headers; `null` leaves one out that would be there. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** How long the caller waits for the answer, in milliseconds. */
  readonly msMax?: number;
}

const CALL_MS_MAX = 20_000;

/** Calls one gateway; rejects when no answer comes. */
export async function callAt(
  url: string, path: string, wishes: PlatformCallWishes = {},
): Promise<PlatformReply> {
  const { body, token } = wishes;
  const headers: Record<string, string | null> = {
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...wishes.headers,
  };
  const isRaw = body === undefined || typeof body === 'string' || body instanceof Uint8Array;
  const answer = await fetch(url + path, {
    method: wishes.method ?? 'POST',
    headers: Object.fromEntries(
      Object.entries(headers).filter((pair): pair is [string, string] => pair[1] !== null),
    ),
    body: (isRaw ? body ?? null : JSON.stringify(body)) as string | null,
    signal: AbortSignal.timeout(wishes.msMax ?? CALL_MS_MAX),
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, text, body: objectOf(text) };
}

/** The value of a Basic header. */
export function basic(clientId: string, secret: string): string {
  return `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`;
}

function objectOf(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}
