import type { Audience, Scope } from '../../../schemas/generated/types.ts';
import type { ClientGrants } from '../../domain/client/client.ts';

/** The audiences of the interface (2. Generate token), and that of the platform itself. */
const AUDIENCES: ReadonlySet<string> = new Set<Audience>([
  'authorizations', 'tracking-pull', 'agencies', 'booking', 'logistic-feed', 'handling-unit',
  'rtt', 'fiscal-info', 'revoke', 'coverage',
  'platform',
]);

/** The scopes of decisions.md. */
const SCOPES: ReadonlySet<string> = new Set<Scope>([
  'rtt:devices', 'rtt:locations', 'rtt:events', 'tracking:push', 'tracking:read',
  'authorizations', 'query:read', 'rtt:commands', 'admin', 'pii:read',
  'platform:read', 'platform:write',
]);

const PROVIDER = /^[a-z0-9][a-z0-9_-]{0,63}$/;

/** What the platform itself may do: read and command over all providers and carriers. */
export const PLATFORM_GRANTS = {
  audiences: ['platform', 'revoke'], scopes: ['platform:read', 'platform:write'],
} as const satisfies { audiences: readonly Audience[]; scopes: readonly Scope[] };

/** The grants of a client as the command line gives them. */
export interface GrantOptions {
  readonly name?: string | undefined;
  readonly provider?: readonly string[] | undefined;
  readonly audience?: readonly string[] | undefined;
  readonly scope?: readonly string[] | undefined;
  readonly trackingNumbers?: readonly string[] | undefined;
}

/** Reads options into grants, or says in a sentence which value is not allowed. */
export function readGrants(options: GrantOptions): ClientGrants | string {
  const audiences = listed(options.audience);
  const scopes = listed(options.scope);
  const providers = listed(options.provider);
  const numbers = listed(options.trackingNumbers);
  const badAudience = audiences?.find((each) => !AUDIENCES.has(each));
  if (badAudience !== undefined) return `Unknown audience ${badAudience}.`;
  const badScope = scopes?.find((each) => !SCOPES.has(each));
  if (badScope !== undefined) return `Unknown scope ${badScope}.`;
  const badProvider = providers?.find((each) => !PROVIDER.test(each));
  if (badProvider !== undefined) return `A provider must match ${PROVIDER.source}.`;
  return {
    ...(options.name === undefined ? {} : { name: options.name }),
    ...(providers === undefined ? {} : { providers }),
    ...(audiences === undefined ? {} : { audiences: audiences as Audience[] }),
    ...(numbers === undefined ? {} : { tracking_numbers: numbers }),
    ...(scopes === undefined ? {} : { scopes: scopes as Scope[] }),
  };
}

/** Options may be repeated, and each may hold several values divided by commas. */
function listed(values: readonly string[] | undefined): string[] | undefined {
  return values?.flatMap((value) => value.split(',')).map((value) => value.trim())
    .filter((value) => value !== '');
}
