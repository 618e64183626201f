/** One request as a check writes it; the session adds address and token. */
export interface Ask {
  readonly method?: 'GET' | 'POST';
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Audience of the token to send; the session takes one. */
  readonly audience?: string;
  /** A token instead of the session's own; null sends none. */
  readonly token?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  /** A body byte for byte, instead of `json`. */
  readonly body?: string | Uint8Array<ArrayBuffer>;
  /** True for the token endpoints, which may have another address. */
  readonly atTokens?: boolean;
}

/** An answer as it came. `json` is undefined when the body is none. */
export interface KitReply {
  readonly what: string;
  readonly status: number;
  readonly header: (name: string) => string | undefined;
  readonly text: string;
  readonly json: unknown;
}

/** Addresses and patience. */
export interface TalkConfig {
  readonly target: string;
  readonly tokenTarget: string;
  readonly answerMsMax: number;
}

/** Sends one request and reads the whole answer. Throws one sentence when none came in time. */
export type Talk = (ask: Ask) => Promise<KitReply>;

/** Talks HTTP and nothing else, so that any implementation can be the counterpart. */
export function createTalk(config: TalkConfig): Talk {
  return async function talk(ask) {
    const url = addressOf(ask, config);
    const what = `${ask.method ?? 'POST'} ${ask.path}`;
    try {
      const answer = await fetch(url, {
        method: ask.method ?? 'POST',
        headers: headersOf(ask),
        body: bodyOf(ask) ?? null,
        redirect: 'manual',
        signal: AbortSignal.timeout(config.answerMsMax),
      });
      const text = await answer.text();
      return {
        what, status: answer.status, text, json: parse(text),
        header: (name) => answer.headers.get(name) ?? undefined,
      };
    } catch (error) {
      throw new Error(`${what} got no answer from ${url.origin} (${nameOf(error)})`, { cause: error });
    }
  };
}

/** The whole address of a request. */
export function addressOf(ask: Ask, config: Omit<TalkConfig, 'answerMsMax'>): URL {
  const base = ask.atTokens === true ? config.tokenTarget : config.target;
  const url = new URL(base.replace(/\/+$/, '') + ask.path);
  for (const [name, value] of Object.entries(ask.query ?? {})) url.searchParams.set(name, value);
  return url;
}

/** Its headers, with the token and what the body is. */
export function headersOf(ask: Ask): Record<string, string> {
  return {
    ...(typeof ask.token === 'string' ? { authorization: `Bearer ${ask.token}` } : {}),
    ...(bodyOf(ask) === undefined ? {} : { 'content-type': 'application/json' }),
    ...ask.headers,
  };
}

/** Its body as it is sent. */
export function bodyOf(ask: Ask): string | Uint8Array<ArrayBuffer> | undefined {
  return ask.body ?? (ask.json === undefined ? undefined : JSON.stringify(ask.json));
}

/** The value of a body; undefined when it is no JSON. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function nameOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = (cause as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' ? code : error instanceof Error ? error.name : String(error);
}
