import type { AuthorizationAsked } from '../../../kernel/authorization-calls.ts';
import { isDeeperThan } from '../../../kernel/json-fields.ts';
import { Unavailable } from '../../../kernel/unavailable.ts';
import type { Outbound, OutboundReply } from '../../../kernel/outbound.ts';
import type { Parties, PartyRecorded } from '../../../kernel/parties.ts';
import type { PersonalSeals } from '../../../kernel/personal.ts';
import {
  classifyCall, type CallRetry, type CallTry, type CallVerdict,
} from '../../../domain/authorization/carrier-call.ts';
import { callSubject, openRequest } from '../../../domain/authorization/sealed-facts.ts';

/** Levels of an answer; far above what carriers need. */
const ANSWER_DEPTH_MAX = 200;

/** Tokens by which the platform shows carriers who it is. */
export interface CarrierTokens {
  current(party: PartyRecorded): Promise<
    | { readonly kind: 'token'; readonly token: string }
    | { readonly kind: 'no_token' }
  >;
  /** Says that a token was refused, so that `current` takes another one if there can be one. */
  discard(party: PartyRecorded, token: string): void;
}

/** What asking a carrier needs. */
export interface AskCarrierPorts {
  readonly parties: Parties;
  readonly personal: PersonalSeals;
  readonly tokens: CarrierTokens;
  readonly outbound: Outbound;
}

/**
 * One try to have a shipment authorized by its carrier (interface, 1). After a refused token
 * one new token is taken. A carrier that is not known, or disabled, counts as one that does not
 * answer.
 */
export async function askCarrier(
  retry: CallRetry, ports: AskCarrierPorts, asked: AuthorizationAsked, attempt: number,
): Promise<CallVerdict> {
  const keys = await ports.personal.forReading(
    asked.personal === undefined ? [] : [callSubject(asked)],
  );
  const request = openRequest(keys, asked);
  if (request === undefined) {
    // Erased: there is nothing left to ask for, and no process may try again.
    if (keys.isErased(callSubject(asked))) return { outcome: 'parked', reason: 'refused' };
    throw new Unavailable('personal_key_unavailable', 'decide', 'the key is not in the state store yet');
  }
  const party = await ports.parties.find(asked.carrier);
  const schema = party?.retry ?? retry;
  if (party?.kind !== 'carrier' || party.status !== 'active') {
    return classifyCall({ kind: 'lost', reason: 'party_unavailable' }, attempt, schema);
  }
  for (let isTokenNew = false; ; isTokenNew = true) {
    const reading = await ports.tokens.current(party);
    if (reading.kind === 'no_token') {
      return classifyCall({ kind: 'lost', reason: 'token_unavailable' }, attempt, schema);
    }
    const tried = tryOf(await ports.outbound(requestOf(party, reading.token, asked, request)));
    const isRefused = tried.kind === 'answer' && tried.status === 401;
    if (!isRefused || isTokenNew) return bound(classifyCall(tried, attempt, schema), party);
    ports.tokens.discard(party, reading.token);
  }
}

/** A number that was given belongs to the client under which its carrier notifies. */
function bound(verdict: CallVerdict, party: PartyRecorded): CallVerdict {
  if (verdict.outcome !== 'authorized') return verdict;
  return { ...verdict, carrier_client_id: party.client_id ?? party.party_id };
}

function requestOf(
  party: PartyRecorded, token: string, asked: AuthorizationAsked, request: unknown,
) {
  const base = party.base_url.replace(/\/+$/, '');
  return {
    method: 'POST',
    url: `${base}/shipments/${encodeURIComponent(asked.shipment_id)}/authorization`,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify(request)),
  } as const;
}

/** A body that was cut at its limit cannot be read. */
function tryOf(reply: OutboundReply): CallTry {
  if (reply.kind === 'lost') return { kind: 'lost', reason: reply.reason };
  return { kind: 'answer', status: reply.status, body: reply.isCut ? undefined : read(reply.body) };
}

/** What is nested so deep that writing it again could overflow the stack is not readable. */
function read(body: Buffer): unknown {
  try {
    const answer = JSON.parse(body.toString('utf8')) as unknown;
    return isDeeperThan(answer, ANSWER_DEPTH_MAX) ? undefined : answer;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
