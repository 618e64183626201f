import type { ClientLimits } from '../../../services/kernel/access.ts';
import type {
  AdmissionFacts, AdmissionReader, AdmissionRequest, CallLimitName, QuotaFacts,
} from '../../../services/kernel/admission.ts';
import { ratesIn } from '../../../services/adapters/redis/config.ts';
import { ratesOf } from '../../../services/kernel/client-rates.ts';
import { callerOf, deviceOfCaller, tightestOf } from '../../../services/domain/access/admission.ts';
import { bucketAt } from '../../../services/domain/quota/gcra.ts';
import { clientKey, toClient, toToken, tokenKey } from '../../../services/state/access.ts';
import { toDeviceState } from '../../../services/state/device-fields.ts';
import { sandboxKey } from '../../../services/state/sandbox-store.ts';
import type { StateKey } from '../../../services/kernel/state-store.ts';
import { deviceKey } from '../../../services/state/device-directory.ts';
import type { FakeStateStore } from '../fake-state-store.ts';
import type { Buckets, StateSettings } from './settings.ts';

const NOBODY: AdmissionFacts = { caller: undefined, device: undefined, quota: undefined };

/** {@link AdmissionReader} by the rules of the domain, over the entries in memory. */
export function fakeAdmission(
  store: FakeStateStore, buckets: Buckets, settings: StateSettings,
): AdmissionReader {
  function quotaOf(
    clientId: string, own: ClientLimits | undefined, deviceId: string | undefined,
    { locations, notifications, bytes, charges }: Omit<
      AdmissionRequest, 'tokenHash' | 'shard' | 'deviceId'
    >,
  ): QuotaFacts {
    const rates = ratesOf(ratesIn(settings), own);
    const limit = (of: CallLimitName, name: string, cost: number) => {
      const { perSecond, burst } = rates[of];
      const rate = { interval: 1_000 / perSecond, burst };
      const bucket = bucketAt(buckets.get(name), store.nowMs(), rate);
      const after = bucketAt(bucket.emptyAtAfter(cost), store.nowMs(), rate, Infinity);
      return {
        of, name, burst, bucket, after, fits: bucket.fits(cost),
        remainingAfter: after.remaining(),
      };
    };
    const requests = limit('client', `req:${clientId}`, 1);
    const limits = [
      requests,
      ...locations === 0 ? [] : [limit('client-locations', `loc:${clientId}`, locations)],
      ...notifications === 0
        ? [] : [limit('client-notifications', `ntf:${clientId}`, notifications)],
      ...bytes === 0 ? [] : [limit('client-bytes', `byt:${clientId}`, bytes)],
      ...deviceId === undefined ? [] : [limit('device', `dev:${deviceId}`, 1)],
    ];
    const [, ...more] = limits;
    const { limit: tightest, allowed } = tightestOf([requests, ...more]);
    if (allowed && charges) {
      for (const { name, after } of limits) {
        buckets.set(name, store.nowMs() + after.fullAgainIn());
      }
    }
    const shown = allowed && charges ? tightest.after : tightest.bucket;
    return {
      of: tightest.of, allowed, limit: tightest.burst, remaining: shown.remaining(),
      resetSeconds: Math.ceil(shown.fullAgainIn() / 1_000),
    };
  }

  const fieldsOf = (key: Parameters<FakeStateStore['entry']>[0]) =>
    store.entry(key)?.fields ?? new Map<string, string>();

  return {
    async read({ tokenHash, shard, deviceId, ...cost }: AdmissionRequest) {
      store.guard({ requireReady: true });
      const token = toToken(tokenHash, fieldsOf(tokenKey(shard, tokenHash)));
      const clientId = token?.client_id ?? '';
      const client = toClient(clientId, fieldsOf(clientKey(clientId)));
      const caller = callerOf(token, client, store.nowMs());
      if (caller === undefined) return NOBODY;
      const keyOf = (key: StateKey): StateKey => (
        caller.sandbox === true ? sandboxKey(clientId, key) : key
      );
      const state = deviceId === undefined
        ? undefined : toDeviceState(fieldsOf(keyOf(deviceKey(clientId, deviceId))));
      const device = deviceOfCaller(clientId, state && {
        owner: state.owner, stage: state.stage,
        transportId: state.registration && String(state.registration.transport_id),
      });
      return { caller, device, quota: quotaOf(clientId, client?.limits, device && deviceId, cost) };
    },
  };
}
