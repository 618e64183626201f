import type { Audience, Scope } from '../../../schemas/generated/types.ts';
import type { ClientGrants } from '../../domain/client/client.ts';

/** The audiences of the interface (2. Generate token), and that of the platform itself. */
export const AUDIENCES = [
  'authorizations', 'tracking-pull', 'agencies', 'booking', 'logistic-feed', 'handling-unit',
  'rtt', 'fiscal-info', 'revoke', 'coverage', 'platform',
] as const satisfies readonly Audience[];

/** The scopes of decisions.md. */
export const SCOPES = [
  'rtt:devices', 'rtt:locations', 'rtt:events', 'tracking:push', 'tracking:read',
  'authorizations', 'query:read', 'rtt:commands', 'admin', 'pii:read',
  'platform:read', 'platform:write',
] as const satisfies readonly Scope[];

/** What the platform itself may do: read and command over all providers and carriers. */
export const PLATFORM_GRANTS = {
  audiences: ['platform', 'revoke'], scopes: ['platform:read', 'platform:write'],
} as const satisfies { audiences: readonly Audience[]; scopes: readonly Scope[] };

/** The grants of a client as the command line gives them. */
export interface GrantOptions {
  readonly name?: string;
  readonly provider?: readonly string[];
  readonly audience?: readonly Audience[];
  readonly scope?: readonly Scope[];
  readonly trackingNumbers?: readonly string[];
}

/** Options as grants; what is absent stays as it is. */
export function grantsOf(
  { name, provider, audience, scope, trackingNumbers }: GrantOptions,
): ClientGrants {
  return {
    ...(name === undefined ? {} : { name }),
    ...(provider === undefined ? {} : { providers: [...provider] }),
    ...(audience === undefined ? {} : { audiences: [...audience] }),
    ...(trackingNumbers === undefined ? {} : { tracking_numbers: [...trackingNumbers] }),
    ...(scope === undefined ? {} : { scopes: [...scope] }),
  };
}
