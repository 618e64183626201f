import type { ClientRecorded } from '../../kernel/access.ts';
import type { Viewer } from './scope.ts';

type Grants = Pick<
  ClientRecorded, 'client_id' | 'status' | 'audiences' | 'scopes' | 'providers' | 'sandbox'
>;

/**
 * As whom a client follows facts where it holds no call open, by the rights with which it may
 * follow the live feed. Undefined for one without them, for one that is disabled, and for a sandbox
 * client, for which nothing real is meant.
 */
export function viewerOf(
  { client_id: clientId, status, audiences, scopes, providers, sandbox }: Grants,
): Viewer | undefined {
  if (status !== 'active' || sandbox === true) return undefined;
  if (audiences.includes('platform') && scopes.includes('platform:read')) return { kind: 'platform' };
  if (!scopes.includes('query:read')) return undefined;
  if (audiences.includes('rtt')) {
    return { kind: 'client', clientId, providers, seesCommands: scopes.includes('rtt:commands') };
  }
  return audiences.includes('tracking-pull') ? { kind: 'carrier', clientId } : undefined;
}
