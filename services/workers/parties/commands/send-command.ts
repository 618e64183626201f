import { classifyTry, type RetryConfig, type Try, type Verdict } from '../../../domain/monitoring/attempt.ts';
import { commandText } from '../../../domain/monitoring/command.ts';
import type { PlacedCommand } from '../../../kernel/commands.ts';
import type { Outbound, OutboundReply } from '../../../kernel/outbound.ts';
import type { Parties, PartyRecorded } from '../../../kernel/parties.ts';
import type { PartyTokens } from '../common/party-tokens.ts';

/** What one attempt brought: the verdict and the status, or why the command was not sent. */
export type Attempted =
  | { readonly kind: 'held'; readonly code: 'no_party' | 'no_right' }
  | {
    readonly kind: 'tried';
    readonly verdict: Exclude<Verdict, { step: 'renew_token' }>;
    readonly status: number | undefined;
  };

/** What sending needs. */
export interface SendPorts {
  readonly parties: Parties;
  readonly tokens: PartyTokens;
  readonly outbound: Outbound;
  readonly random: () => number;
}

/**
 * One attempt to bring a command to its provider (interface, 5). After a refused token one new
 * token is taken, and the party is read again: an operator may have changed it meanwhile.
 * `hasRight` is asked right before the command goes out, because taking a token may take long.
 */
export async function sendOnce(
  config: RetryConfig, ports: SendPorts, command: PlacedCommand, attempt: number,
  hasRight: () => boolean,
): Promise<Attempted> {
  const { provider } = command.event;
  for (let isTokenNew = false; ; isTokenNew = true) {
    const party = await ports.parties.byProvider(provider);
    if (party === undefined) return { kind: 'held', code: 'no_party' };
    const reading = await ports.tokens.current(party);
    if (!hasRight()) return { kind: 'held', code: 'no_right' };
    const tried = reading.kind === 'token'
      ? tryOf(await ports.outbound(requestOf(party, reading.token, command)))
      : reading;
    const verdict = classifyTry(tried, { attempt, isTokenNew, random: ports.random() }, config);
    const status = tried.kind === 'answer' ? tried.status : undefined;
    if (verdict.step !== 'renew_token') return { kind: 'tried', verdict, status };
    if (reading.kind === 'token') ports.tokens.discard(party, reading.token);
  }
}

function requestOf(party: PartyRecorded, token: string, { event }: PlacedCommand) {
  return {
    method: 'POST',
    url: `${party.base_url.replace(/\/+$/, '')}/rtt/commands`,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: Buffer.from(commandText(event.body)),
  } as const;
}

/** An address that the settings do not allow is as unreachable as one that does not answer. */
function tryOf(reply: OutboundReply): Try {
  if (reply.kind === 'answer') return { kind: 'answer', status: reply.status };
  return { kind: 'lost', reason: reply.reason === 'timeout' ? 'timeout' : 'network' };
}
