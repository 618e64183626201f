import type { Outbound, OutboundReply } from '../kernel/outbound.ts';
import { RunStopped } from './run-ends.ts';
import { addressOf, bodyOf, headersOf, parse, type Ask, type KitReply, type Talk } from './talk.ts';

/** What talking to a registered party needs. */
export interface PartyTalkPorts {
  /** Makes calls under the rules of parties: their addresses, size and time. */
  readonly outbound: Outbound;
  /** Tokens that were sent to the party so far: no answer that shows one is handed on. */
  readonly sent: ReadonlySet<string>;
  /** Rejects with {@link RunStopped} where the run is over. */
  readonly ended: Promise<never>;
}

/** Answers of one run together; what is read of each is held in memory for a while. */
const ANSWERS_BYTES_MAX = 4_194_304;
const HIDDEN = '[token]';

/**
 * Talks to the address of a party through the calls that the platform makes to parties. A party
 * whose first call gets no answer ends the run, so that it is no list of failed checks; the end of
 * the time holds for the call in progress too.
 */
export function createPartyTalk(
  target: string, { outbound, sent, ended }: PartyTalkPorts,
): Talk {
  let hasAnswered = false;
  let bytes = 0;

  return async function talk(ask) {
    const url = addressOf(ask, { target, tokenTarget: target });
    const what = `${ask.method ?? 'POST'} ${ask.path}`;
    const reply = await Promise.race([ended, outbound(requestOf(ask, url))]);
    if (reply.kind === 'lost') {
      if (!hasAnswered) throw new RunStopped(`${url.origin} gave no answer (${reply.reason})`);
      throw new Error(`${what} got no answer from ${url.origin} (${reply.reason})`);
    }
    hasAnswered = true;
    bytes += reply.body.length;
    if (bytes > ANSWERS_BYTES_MAX) {
      throw new RunStopped(`the answers together are over ${ANSWERS_BYTES_MAX} bytes`);
    }
    return kitReplyOf(what, reply, (text) => hide(text, sent));
  };
}

function requestOf(ask: Ask, url: URL) {
  const body = bodyOf(ask);
  return {
    method: ask.method ?? 'POST', url: url.href, headers: headersOf(ask),
    ...(body === undefined ? {} : { body: Buffer.from(body) }),
  } as const;
}

function kitReplyOf(
  what: string, { status, headers, body, isCut }: Extract<OutboundReply, { kind: 'answer' }>,
  clean: (text: string) => string,
): KitReply {
  const text = clean(body.toString('utf8'));
  return {
    what, status, text, json: isCut ? undefined : parse(text),
    header(name) {
      const value = headers[name];
      return value === undefined ? undefined : clean(value);
    },
  };
}

function hide(text: string, sent: ReadonlySet<string>): string {
  return [...sent].reduce((cleaned, token) => cleaned.replaceAll(token, HIDDEN), text);
}
