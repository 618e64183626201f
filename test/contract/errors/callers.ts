import type { AdmissionFacts, AdmittedCaller } from '../../../services/kernel/admission.ts';
import { GOOD_FACTS } from '../../support/edge.ts';
import { CALLER } from '../../support/whole-edge.ts';

/** The stage of the device that a call speaks for. */
export type CalledStage = 'unknown' | 'registered' | 'started' | 'stopped';

const EPOCHS = { unknown: 0, registered: 1, started: 2, stopped: 3 } as const;

/** Facts that a caller has other than the one whom the operation asks for. */
type Change = (caller: AdmittedCaller) => Partial<AdmissionFacts>;

/** Who calls, besides the one whom the operation asks for. */
export const CALLERS = {
  'a token that is unknown, expired or revoked': () => ({ caller: undefined }),
  'a token for revoke': (caller) => ({ caller: { ...caller, audience: 'revoke', scopes: [] } }),
  'a token for rtt': (caller) => ({ caller: { ...caller, audience: 'rtt' } }),
  'a token for platform': (caller) => ({ caller: { ...caller, audience: 'platform' } }),
  'a token without the scope': (caller) => ({ caller: { ...caller, scopes: ['query:write'] } }),
  'a provider of three names': (caller) => (
    { caller: { ...caller, providers: ['acme', 'acme-night', 'tiny'] } }
  ),
  'a client without a provider': (caller) => ({ caller: { ...caller, providers: [] } }),
  'a client at its limit': (caller) => ({
    caller, quota: { of: 'client', allowed: false, limit: 400, remaining: 0, resetSeconds: 2 },
  }),
  'a device at its limit': (caller) => ({
    caller, quota: { of: 'device', allowed: false, limit: 40, remaining: 0, resetSeconds: 2 },
  }),
} as const satisfies Record<string, Change>;

/** The name of one of {@link CALLERS}. */
export type CallerName = keyof typeof CALLERS;

/** Facts of a call of the caller whom an operation asks for, or of another one. */
export function factsOf(
  rights: { readonly audience?: string | null; readonly scope?: string | null },
  as: CallerName | undefined, stage: CalledStage = 'started',
): Partial<AdmissionFacts> {
  const caller: AdmittedCaller = {
    clientId: CALLER, userId: '7', audience: rights.audience ?? '',
    scopes: rights.scope ? [rights.scope] : [], providers: ['acme'],
  };
  const device = { epoch: EPOCHS[stage], transportId: '77' };
  const change: Partial<AdmissionFacts> = as === undefined ? {} : CALLERS[as](caller);
  return { ...GOOD_FACTS, caller, device, ...change };
}
