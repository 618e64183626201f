import type { ClientRecorded, StoredToken } from '../../kernel/access.ts';
import type { AdmittedCaller, AdmittedDevice } from '../../kernel/admission.ts';
import type { DeviceStage } from '../../kernel/devices.ts';
import type { ClientId } from '../../kernel/ids.ts';

/** What admission reads of a token. */
export type AskedToken = Pick<StoredToken, 'client_id' | 'expires_at_ms' | 'revoked'> & {
  readonly audience?: string;
  readonly scopes?: readonly string[];
  readonly revocations?: number;
};

/** What admission reads of a device. */
export interface AskedDevice {
  readonly owner: string;
  readonly stage: DeviceStage;
  readonly transportId: string | undefined;
}

/**
 * The caller: none, unless the token is good, its client active, and not all of the client's tokens
 * were revoked since its issue. Its scopes count as far as the client still has them. The script
 * `admit.lua` says the same, held to this by a property test.
 */
export function callerOf(
  token: AskedToken | undefined, client: ClientRecorded | undefined, nowMs: number,
): AdmittedCaller | undefined {
  if (token?.audience === undefined || token.revoked) return undefined;
  if (token.expires_at_ms <= nowMs || client?.status !== 'active') return undefined;
  if ((token.revocations ?? 0) < (client.revocations ?? 0)) return undefined;
  const still: readonly string[] = client.scopes;
  return {
    clientId: client.client_id, userId: client.user_id, audience: token.audience,
    scopes: (token.scopes ?? []).filter((scope) => still.includes(scope)),
    providers: client.providers,
    ...(client.limits === undefined ? {} : { limits: client.limits }),
    ...(client.sandbox === true ? { sandbox: true } : {}),
  };
}

/** The device that the call speaks for: none when it is another's or not registered. */
export function deviceOfCaller(
  clientId: ClientId, device: AskedDevice | undefined,
): AdmittedDevice | undefined {
  if (device?.transportId === undefined || device.owner !== clientId) return undefined;
  return { epoch: device.stage, transportId: device.transportId };
}

/** A limit that a call counts against: whether the call fits, and what it would leave. */
export interface AskedLimit {
  readonly burst: number;
  readonly fits: boolean;
  readonly remainingAfter: number;
}

/**
 * Charges every limit or none of them, so that a device above its own takes nothing from the rest
 * of its client; answers the tightest one, or the first that refuses.
 */
export function tightestOf<Limit extends AskedLimit>(
  limits: readonly [Limit, ...Limit[]],
): { readonly limit: Limit; readonly allowed: boolean } {
  const refusing = limits.find(({ fits }) => !fits);
  if (refusing !== undefined) return { limit: refusing, allowed: false };
  const fractionLeft = ({ remainingAfter, burst }: Limit): number => remainingAfter / burst;
  const limit = limits.reduce((least, next) => (
    fractionLeft(next) < fractionLeft(least) ? next : least
  ));
  return { limit, allowed: true };
}
