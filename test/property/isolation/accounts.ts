import type { ClientRecorded, Scope } from '../../../schemas/generated/types.ts';
import { keyedSecrets, sha256 } from '../../../services/adapters/secrets/secrets.ts';
import type { TokenIssued } from '../../../services/kernel/access.ts';
import { LINK_AUDIENCE } from '../../../services/kernel/sessions.ts';
import { tokenText } from '../../../services/kernel/shards.ts';
import type { Dice } from '../../faults/dice.ts';
import { aClient, revocationOf } from '../../support/state-facts.ts';
import { PEPPER, type AllGateways } from './all-gateways.ts';

/** A client of the deployment, with what only it knows. */
export interface ProbeAccount {
  readonly name: string;
  readonly client: ClientRecorded;
  readonly secret: string;
  /** The provider that it speaks for; one that there is not where it speaks for none. */
  readonly provider: string;
}

/** What an account may ask tokens for, and do with them. */
type Rights = Pick<ClientRecorded, 'audiences' | 'scopes'> & {
  readonly isProvider?: boolean; readonly sandbox?: boolean;
};

const RTT: readonly Scope[] = [
  'rtt:devices', 'rtt:locations', 'rtt:events', 'rtt:commands', 'query:read',
];
const TRACKING: readonly Scope[] = ['tracking:push', 'tracking:read', 'query:read'];
const PROVIDER: Rights = { audiences: ['rtt', 'revoke'], scopes: [...RTT], isProvider: true };
const CARRIER: Rights = {
  audiences: ['logistic-feed', 'tracking-pull', 'revoke'], scopes: [...TRACKING],
};
const EVERY: Rights = {
  audiences: ['rtt', 'revoke', 'authorizations', 'logistic-feed', 'tracking-pull'],
  scopes: [...new Set([...RTT, ...TRACKING, 'authorizations'] as const)], isProvider: true,
};

/** Who has things; the owner of one alone may read it, and the platform some of it. */
export const OWNERS = {
  acme: PROVIDER,
  best: PROVIDER,
  swift: CARRIER,
  rapid: CARRIER,
  buyer: {
    audiences: ['authorizations', 'tracking-pull', 'revoke'],
    scopes: ['authorizations', 'query:read'],
  },
  whole: EVERY,
  sandbox: {
    ...EVERY, audiences: [...EVERY.audiences, 'platform'], sandbox: true,
    scopes: [...EVERY.scopes, 'platform:read', 'platform:write', 'admin'],
  },
} as const satisfies Readonly<Record<string, Rights>>;

/** Who operates the platform: with all rights, and with one of them alone. */
export const PLATFORMS = {
  operator: ['platform:read', 'platform:write', 'admin'],
  reader: ['platform:read'],
  writer: ['platform:write'],
  admin: ['admin'],
} as const satisfies Readonly<Record<string, readonly Scope[]>>;

/** Records a client with these rights. */
export async function join(
  { states }: AllGateways, dice: Dice, name: string,
  { audiences, scopes, isProvider = false, sandbox }: Rights,
): Promise<ProbeAccount> {
  const secret = `secret-${name}`;
  const word = wordOf(dice);
  const provider = isProvider ? `haul-${name}-${word}` : `none-${word}`;
  const client = aClient({
    client_id: `1${digitsOf(dice, 14)}`, user_id: `user-${name}-${word}`,
    name: `Firm ${name} ${word}`, providers: isProvider ? [provider] : [],
    audiences: [...audiences], scopes: [...scopes],
    secrets: [{ secret_id: 's1', hash: keyedSecrets(PEPPER).hash(secret), created_at_ms: 1 }],
    ...(sandbox === undefined ? {} : { sandbox }),
  });
  await states.access.applyClient(client);
  return { name, client, secret, provider };
}

/** A token of a client, in the store as one that was issued; its text. */
export async function issue(
  { states }: AllGateways, dice: Dice, client: ClientRecorded, audience: TokenIssued['audience'],
  end?: 'revoked',
): Promise<string> {
  const token = tokenText(client.client_id, textOf(dice, 43));
  const issued: TokenIssued = {
    type: 'TokenIssued', token_hash: sha256(token), client_id: client.client_id, audience,
    scopes: [...client.scopes], issued_at_ms: Date.now(), expires_at_ms: Date.now() + 3_600_000,
  };
  await states.access.applyTokens(end === undefined ? [issued] : [issued, revocationOf(issued)]);
  return token;
}

/** `Cookie` of a session of the console that a one-time link of the client opened. */
export async function openSession(
  at: AllGateways, dice: Dice, client: ClientRecorded,
): Promise<string> {
  const link = await issue(at, dice, client, LINK_AUDIENCE);
  const answer = await fetch(`${at.edge.url}/console/session`, {
    method: 'POST', headers: { authorization: `Bearer ${link}` },
  });
  const [cookie] = answer.headers.get('set-cookie')?.split(';') ?? [];
  if (cookie === undefined) throw new Error(`No session: ${answer.status}.`);
  await answer.body?.cancel();
  return cookie;
}

/** Without digits, which some texts of ours leave out. */
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz'.split('');

/** A text of so many characters that no other thing has. */
export function textOf(dice: Dice, length: number): string {
  return Array.from({ length }, () => dice.pick(ALPHABET)).join('');
}

/** A short one, for names. */
export const wordOf = (dice: Dice): string => textOf(dice, 9);

/** So many digits, of which the last is none that is cut off from a fraction. */
export function digitsOf(dice: Dice, digits: number): string {
  return Array.from({ length: digits }, () => dice.between(1, 9)).join('');
}
