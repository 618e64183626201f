import type {
  AdmissionFacts, AdmittedCaller, AdmittedDevice, LimitName,
} from '../../kernel/admission.ts';
import type { AskedCall, AuthorizeCaller, Operation, Refusal } from '../../kernel/http.ts';
import type { Code } from '../../kernel/codes.ts';
import type { DeviceId } from '../../kernel/ids.ts';
import { isMagicWord, magicWordOf } from '../../kernel/magic-ids.ts';
import { nearName } from '../../kernel/near-name.ts';

/** Settings of admission (decisions.md, Client id on RTT). */
export interface AuthorizeCallerConfig {
  /** True when a call without `X-Client-Id` is refused. */
  readonly clientIdRequired: boolean;
}

/** Scope of operations whose audience alone opens them. */
export const SCOPE_ANY = 'any';

/** Audience of the platform itself, which sees all providers and carriers of a deployment. */
export const PLATFORM_AUDIENCE = 'platform';

const PROVIDER = /^[a-z0-9][a-z0-9_-]{0,63}$/;

/**
 * The one place where a call is let in. Checks are in the order of trust. First who calls, for
 * what, as whom, for which provider, for which device; the quota last, so that no caller learns the
 * limits of an operation that it may not call. A foreign device looks exactly like a missing one.
 */
export function createAuthorizeCaller(config: AuthorizeCallerConfig): AuthorizeCaller {
  return function authorizeCaller(operation, facts, asked) {
    const { caller } = facts;
    if (caller === undefined) {
      return refuse('invalid_token', 'The access token is unknown, expired or revoked; POST'
        + ` /oauth/token gives a new one of audience ${operation.audience}.`);
    }
    return tokenFault(operation, caller)
      ?? clientFault(config, operation, caller, asked.clientIdHeader)
      ?? providerFault(caller, asked)
      ?? deviceFault(caller, facts.device, asked.deviceId)
      ?? quotaFault(facts);
  };
}

function tokenFault(
  operation: Operation<'bearer'>, caller: AdmittedCaller,
): Refusal | undefined {
  const scope = scopeFor(operation, caller);
  if (scope === undefined) {
    return refuse('wrong_audience', `The access token was issued for the audience ${caller.audience},`
      + ` another than ${operation.audience}, which is needed here.`);
  }
  if (scope === SCOPE_ANY || caller.scopes.includes(scope)) return undefined;
  const scopes = caller.scopes.length === 0 ? 'none' : caller.scopes.join(', ');
  return refuse('insufficient_scope', `The access token lacks the scope ${scope}; it has ${scopes}.`
    + ' Ask for it at POST /oauth/token, or the operator of the platform to grant it.');
}

/** The scope that the caller needs by the audience of its token; none when that does not fit. */
function scopeFor(operation: Operation<'bearer'>, caller: AdmittedCaller): string | undefined {
  if (caller.audience === operation.audience) return operation.scope;
  return caller.audience === PLATFORM_AUDIENCE ? operation.platformScope : undefined;
}

/** Only RTT calls know the header; they are the ones that name a country. */
function clientFault(
  config: AuthorizeCallerConfig, operation: Operation<'bearer'>, caller: AdmittedCaller,
  header: string | undefined,
): Refusal | undefined {
  if (!operation.needsCountry) return undefined;
  if (header === undefined) {
    return config.clientIdRequired && caller.audience !== PLATFORM_AUDIENCE
      ? refuse('client_id_required', 'The header X-Client-Id is mandatory.')
      : undefined;
  }
  return header === caller.clientId
    ? undefined
    : refuse('client_id_mismatch', 'X-Client-Id is not the client of the access token, which is'
      + ` ${caller.clientId}.`);
}

/** The platform may name any provider; everyone else only those of its client. */
function providerFault(caller: AdmittedCaller, asked: AskedCall): Refusal | undefined {
  const provider = asked.params['provider'];
  if (provider === undefined) return undefined;
  const isAllowed = caller.audience === PLATFORM_AUDIENCE || caller.providers.includes(provider);
  return PROVIDER.test(provider) && isAllowed
    ? undefined
    : refuse('provider_not_allowed', foreignProvider(provider, caller));
}

const PROVIDERS_SHOWN_MAX = 10;

/** Which providers a client has is no secret to it; the one of the path is not repeated. */
function foreignProvider(provider: string, { providers }: AdmittedCaller): string {
  if (providers.length === 0) {
    return 'The client may speak for no provider yet; the operator of the platform adds one.';
  }
  const shown = providers.slice(0, PROVIDERS_SHOWN_MAX).join(', ');
  const meant = nearName(provider, providers);
  const question = meant === undefined ? '' : ` Did you mean ${meant}?`;
  return `The client may speak for ${shown}, not for the provider of the path.${question}`;
}

/** A magic id of a sandbox client is let in, for its operation to answer as it says. */
function deviceFault(
  caller: AdmittedCaller, device: AdmittedDevice | undefined, deviceId: DeviceId | undefined,
): Refusal | undefined {
  if (deviceId === undefined) return undefined;
  switch (device?.epoch ?? 0) {
    case 0: return caller.sandbox === true && isMagicWord(magicWordOf(deviceId) ?? '')
      ? undefined
      : refuseDevice('device_not_allowed', 'The caller has no such device; POST'
      + ' /shipping/rtt/devices registers one and gives its id.');
    case 1: return refuseDevice('tracking_not_started', 'Start tracking of the device first: POST'
      + ' /shipping/rtt/devices/{device_id}/start_tracking.');
    case 2: return undefined;
    case 3: return refuseDevice('tracking_stopped', 'Tracking of the device was stopped for good;'
      + ' POST /shipping/rtt/devices registers its entity again, as a new device.');
  }
}

/** Every call that speaks for a device names it there. */
const DEVICE_POINTER = '/device_id';

function refuseDevice(code: Code, detail: string): Refusal {
  return { code, detail, errors: [{ pointer: DEVICE_POINTER, code, message: detail }] };
}

const LIMITED: Readonly<Record<LimitName, string>> = {
  'client': 'calls of the client',
  'client-locations': 'locations of the client',
  'client-notifications': 'notifications of the client',
  'client-bytes': 'bytes of the client',
  'device': 'calls of the device',
  'tenant': 'calls of all clients of the user',
  'tenant-locations': 'locations of all clients of the user',
  'tenant-notifications': 'notifications of all clients of the user',
  'tenant-bytes': 'bytes of a day of all clients of the user',
};

/**
 * Five minutes are what the interface asks of RTT senders. A carrier waits until its limit is full
 * again, which takes seconds: a backlog that had to wait longer would take days.
 */
function quotaFault({ quota }: AdmissionFacts): Refusal | undefined {
  if (quota === undefined || quota.allowed) return undefined;
  const reached = `The limit of ${LIMITED[quota.of]} is reached; wait`;
  if (quota.of !== 'client-notifications') {
    const advice = quota.of === 'device' ? ', or send several locations in one call' : '';
    return refuse('rate_limited', `${reached} five minutes${advice}.`);
  }
  const retryAfterSeconds = Math.max(1, quota.resetSeconds);
  return { ...refuse('rate_limited', `${reached} ${retryAfterSeconds} s.`), retryAfterSeconds };
}

function refuse(code: Code, detail: string): Refusal {
  return { code, detail };
}
