import type {
  AdmissionFacts, AdmissionReader, AdmissionRequest, AdmittedDevice, QuotaFacts,
} from '../../../services/kernel/admission.ts';
import type { Clock } from '../../../services/kernel/clock.ts';
import type { StateSettings } from './settings.ts';
import { look, type Bucket } from './buckets.ts';
import type { FakeStore, Guard } from './store.ts';

const NOBODY: AdmissionFacts = { caller: undefined, device: undefined, quota: undefined };

interface Limit {
  readonly of: QuotaFacts['of'];
  readonly bucket: Bucket;
  readonly cost: number;
}

/** {@link AdmissionReader} over the store in memory. */
export function fakeAdmission(
  store: FakeStore, guard: Guard, clock: Clock, settings: StateSettings,
): AdmissionReader {
  function quotaOf(
    clientId: string, deviceId: string | undefined, locations: number,
  ): QuotaFacts {
    const limit = (
      of: QuotaFacts['of'], name: string, perSecond: number, burst: number, cost: number,
    ): Limit => ({
      of, cost,
      bucket: look(store.buckets, name, clock.nowMs(), { intervalMs: 1000 / perSecond, burst }),
    });
    const { requestsPerSecond, requestsBurst, locationsPerSecond, locationsBurst } = settings;
    const { deviceRequestsPerSecond, deviceRequestsBurst } = settings;
    const limits = [
      limit('client', `req:${clientId}`, requestsPerSecond, requestsBurst, 1),
      ...locations === 0 ? [] : [
        limit('client', `loc:${clientId}`, locationsPerSecond, locationsBurst, locations),
      ],
      ...deviceId === undefined ? [] : [
        limit('device', `dev:${deviceId}`, deviceRequestsPerSecond, deviceRequestsBurst, 1),
      ],
    ];
    const refusing = limits.find(({ bucket, cost }) => !bucket.fits(cost));
    if (refusing === undefined) limits.forEach(({ bucket, cost }) => bucket.take(cost));
    const shareLeft = ({ bucket }: Limit): number => bucket.remaining() / bucket.burst;
    const { bucket, of } = refusing
      ?? limits.reduce((least, next) => (shareLeft(next) < shareLeft(least) ? next : least));
    return {
      of,
      allowed: refusing === undefined,
      limit: bucket.burst,
      remaining: bucket.remaining(),
      resetSeconds: bucket.fullAgainSeconds(),
    };
  }

  function deviceOf(clientId: string, request: AdmissionRequest): AdmittedDevice | undefined {
    const device = store.devices.get(request.deviceId ?? '');
    if (device?.registered === undefined || device.owner !== clientId) return undefined;
    return { epoch: device.rank, transportId: String(device.registered.transport_id) };
  }

  return {
    async read(request) {
      guard(true);
      const token = store.tokens.get(request.tokenHash);
      if (token?.audience === undefined || token.revoked) return NOBODY;
      if (token.expires_at_ms <= clock.nowMs()) return NOBODY;
      const client = store.clients.get(token.client_id);
      if (client?.status !== 'active') return NOBODY;
      const device = deviceOf(client.client_id, request);
      const still: readonly string[] = client.scopes;
      return {
        caller: {
          clientId: client.client_id,
          userId: client.user_id,
          audience: token.audience,
          scopes: token.scopes.filter((scope) => still.includes(scope)),
          providers: client.providers,
        },
        device,
        quota: quotaOf(client.client_id, device && request.deviceId, request.locations),
      };
    },
  };
}
