import type { AccessStates, TokenLimits, TokenQuota } from '../../../kernel/access.ts';
import { sourceOf } from '../../../kernel/address-source.ts';
import type { Clock } from '../../../kernel/clock.ts';
import type { Answer, Operation } from '../../../kernel/http.ts';
import type { ClientId } from '../../../kernel/ids.ts';
import { TOKEN_LIFETIME_SECONDS } from '../../../kernel/limits.ts';
import type { RecordLog } from '../../../kernel/record-log.ts';
import type { TakenCalls } from '../../../kernel/taken-calls.ts';
import type { Secrets } from '../../../kernel/secrets.ts';
import { liveSecrets } from '../../../domain/client/client.ts';
import { decideIssue, isProven } from '../../../domain/token/token.ts';
import type { TokenResponse } from '../../../../schemas/generated/types.ts';
import { defineOperation, type CallOf } from '../../common/catalog.ts';
import { newToken, recordIssue, tokenHash } from '../../common/tokens.ts';
import { basicFault, readBasic } from '../credentials.ts';
import { tokenErrors } from '../error-forms.ts';

/** What issuing needs from outside. */
export interface IssueTokenPorts {
  readonly states: AccessStates;
  readonly log: RecordLog;
  readonly clock: Clock;
  readonly secrets: Secrets;
  /** Takes the tokens that were issued: the edge does not know whose such a call is. */
  readonly takenCalls?: TakenCalls | undefined;
}

/** `POST /oauth/token`: client credentials for a token of one audience (interface, 2). */
export function issueToken(ports: IssueTokenPorts): Operation {
  return defineOperation('issue-token', {
    errors: tokenErrors,
    handle: (call) => handle(ports, call),
  });
}

async function handle(ports: IssueTokenPorts, call: CallOf<'issue-token'>): Promise<Answer> {
  const header = call.header('authorization');
  const credentials = readBasic(header);
  if (credentials === undefined) {
    return denied(basicFault(header, Object.hasOwn(call.body, 'client_secret')));
  }
  const source = sourceOf(call.address);
  const client = await ports.states.findClient(credentials.clientId);
  const hashes = liveSecrets(client).map((secret) => secret.hash);
  const matches = ports.secrets.matches(hashes, credentials.secret);
  const quota = isProven(client, matches)
    ? await ports.states.chargeProvenClient(credentials.clientId, source)
    : await chargeStranger(ports.states, credentials.clientId, source);
  if (!quota.allowed) return tooMany(quota);
  const token = newToken(credentials.clientId);
  const decision = decideIssue({
    secret_matches: matches,
    audience: call.body.audience,
    token_hash: tokenHash(token),
    at_ms: ports.clock.nowMs(),
  }, client);
  if (decision.kind !== 'happened') {
    const noAccess = decision.kind === 'refused' && decision.code === 'invalid_target';
    return noAccess
      ? noSuchAccess(call.body.audience, client?.audiences ?? [])
      : denied('The client id or the secret is not valid.');
  }
  for (const event of decision.events) {
    await recordIssue(ports, event, call);
  }
  ports.takenCalls?.report({
    clientId: credentials.clientId, operation: 'issue-token', atMs: call.receivedAtMs,
  });
  const headers = client?.sandbox === true ? { Sandbox: 'true' } : undefined;
  return granted(token, call.body.scope, decision.events[0]?.scopes, headers);
}

/**
 * Who did not prove itself pays by address, and waits after wrong secrets. A client that proved
 * itself never pays by address: behind one balancer all callers may share it.
 */
async function chargeStranger(
  states: TokenLimits, clientId: ClientId, source: string,
): Promise<TokenQuota> {
  const ofAddress = await states.chargeTokenRequest(source);
  return ofAddress.allowed ? states.recordTokenFailure(clientId, source) : ofAddress;
}

/** One text for every limit: it does not reveal whether a secret was right. */
function tooMany({ retryAfterSeconds }: TokenQuota): Answer {
  return {
    kind: 'refusal', code: 'rate_limited', retryAfterSeconds,
    detail: 'Too many token requests; a token is good for six hours.',
  };
}

/** Only who asked for scopes gets those of the token in the answer (RFC 6749, 5.1). */
function granted(
  token: string, asked: string | undefined, scopes: readonly string[] | undefined,
  headers: Readonly<Record<string, string>> | undefined,
): Answer {
  const areAsked = asked !== undefined && asked.trim() !== '' && scopes !== undefined;
  const body: TokenResponse = {
    access_token: token, token_type: 'Bearer', expires_in: TOKEN_LIFETIME_SECONDS,
    ...(areAsked ? { scope: scopes.join(' ') } : {}),
  };
  return { kind: 'answer', status: 200, body, ...(headers === undefined ? {} : { headers }) };
}

/** Shown to a client that proved itself: which audiences it may have is no secret to it. */
function noSuchAccess(audience: string, audiences: readonly string[]): Answer {
  const own = audiences.length === 0 ? 'no audience' : audiences.join(', ');
  const detail = `The client may have tokens for ${own}, not for ${audience}; the operator of the`
    + ' platform adds audiences.';
  return { kind: 'refusal', code: 'invalid_target', detail };
}

function denied(detail: string): Answer {
  return { kind: 'refusal', code: 'invalid_client', detail };
}
