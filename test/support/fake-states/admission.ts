import type {
  AdmissionFacts, AdmissionReader, AdmissionRequest, AdmittedDevice, QuotaFacts,
} from '../../../services/kernel/admission.ts';
import type { Clock } from '../../../services/kernel/clock.ts';
import type { StateSettings } from '../fake-states.ts';
import { look } from './buckets.ts';
import type { FakeStore, Guard } from './store.ts';

const NOBODY: AdmissionFacts = { caller: undefined, device: undefined, quota: undefined };

/** {@link AdmissionReader} over the store in memory. */
export function fakeAdmission(
  store: FakeStore, guard: Guard, clock: Clock, settings: StateSettings,
): AdmissionReader {
  function quotaOf(clientId: string, locations: number): QuotaFacts {
    const now = clock.nowMs();
    const requests = look(store.buckets, `req:${clientId}`, now, {
      intervalMs: 1000 / settings.requestsPerSecond, burst: settings.requestsBurst,
    });
    const places = look(store.buckets, `loc:${clientId}`, now, {
      intervalMs: 1000 / settings.locationsPerSecond, burst: settings.locationsBurst,
    });
    const requestFits = requests.fits(1);
    const placesFit = locations === 0 || places.fits(locations);
    let tighter = requestFits && !placesFit ? places : requests;
    if (requestFits && placesFit) {
      requests.take(1);
      if (locations > 0) {
        places.take(locations);
        const left = places.remaining() / places.burst;
        if (left < requests.remaining() / requests.burst) tighter = places;
      }
    }
    return {
      allowed: requestFits && placesFit,
      limit: tighter.burst,
      remaining: tighter.remaining(),
      resetSeconds: tighter.fullAgainSeconds(),
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
      const still: readonly string[] = client.scopes;
      return {
        caller: {
          clientId: client.client_id,
          userId: client.user_id,
          audience: token.audience,
          scopes: token.scopes.filter((scope) => still.includes(scope)),
          providers: client.providers,
        },
        device: deviceOf(client.client_id, request),
        quota: quotaOf(client.client_id, request.locations),
      };
    },
  };
}
