import { decodeImage, encodeImage } from '../../services/adapters/images/decode.ts';
import { decodeLongImage } from '../../services/adapters/images/decode-long.ts';
import { gatewaysSettings } from '../../services/adapters/config/gateways.ts';
import { keyedSecrets } from '../../services/adapters/secrets/secrets.ts';
import {
  operationsOf, type OperationsPorts,
} from '../../services/gateways/assemble-operations.ts';
import { GATEWAY_ROOMS } from '../../services/gateways/gateways.ts';
import type { Clock } from '../../services/kernel/clock.ts';
import { OPERATIONS } from '../../schemas/generated/catalog.ts';
import { openEdge } from './edge.ts';
import { fakeAudits } from './fake-audits.ts';
import { fakeDeadLetters } from './fake-dead-letters.ts';
import { fakeItemOutcomes } from './fake-item-outcomes.ts';
import { fakeLive } from './fake-live.ts';
import { fakeOverflow } from './fake-overflow.ts';
import { fakePersonal } from './fake-personal.ts';
import { fakeDeviceTracks } from './fake-device-tracks.ts';
import { fakePastFleet } from './fake-past-fleet.ts';
import { fakePipeline } from './fake-pipeline.ts';
import { fakePlatformHistory } from './fake-platform-history.ts';
import { fakeProviderQuality } from './fake-provider-quality.ts';
import { fakeRecordLog } from './fake-log.ts';
import { fakeShipmentHistory } from './fake-shipment-history.ts';
import { fakeStates } from './fake-states.ts';
import { FREE_TENANTS } from './free-tenants.ts';
import { KNOWN } from './wrong-receiver/receiver.ts';

const PEPPER = 'pepper-for-tests';

/** As whom the kit comes to a {@link LimitedGateway}. */
export const AS_KIT = {
  RASTRO_CLIENT_ID: KNOWN.clientId, RASTRO_CLIENT_SECRET: KNOWN.clientSecret,
  RASTRO_PROVIDER: KNOWN.provider, RASTRO_COUNTRY: 'BR',
} as const;

/** A gateway that knows {@link KNOWN}, with the tokens and the limits of production. */
export interface LimitedGateway {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Opens every room of the gateways behind a real HTTP edge, over stores and a log in memory.
 * Tokens, admission and limits are decided as in production, by the default settings; `clock` fills
 * the limits again.
 */
export async function openLimitedGateway(clock?: Clock): Promise<LimitedGateway> {
  const states = fakeStates({}, clock);
  const catalog = Object.values(OPERATIONS);
  const named = (values: readonly (string | null | undefined)[]) =>
    [...new Set(values.flatMap((value) => value ?? []))];
  await states.access.applyClient({
    type: 'ClientRecorded', client_id: KNOWN.clientId, user_id: '7', name: 'Kit',
    providers: [KNOWN.provider], status: 'active', version: 1, at_ms: 0,
    audiences: named([...catalog.map(({ audience }) => audience), 'revoke']),
    scopes: named(catalog.map(({ scope }) => scope)),
    secrets: [{
      secret_id: 's1', hash: keyedSecrets(PEPPER).hash(KNOWN.clientSecret), created_at_ms: 0,
    }],
  } as Parameters<typeof states.access.applyClient>[0]);
  const log = fakeRecordLog();
  const ports = {
    states, log, deadLetters: fakeDeadLetters(log), history: fakeShipmentHistory(),
    images: {
      read: decodeImage, readLong: decodeLongImage, write: encodeImage,
      keep: async () => { throw new Error('none in this test'); },
      find: async () => undefined, erase: async () => undefined,
    },
    itemOutcomes: fakeItemOutcomes(), platformHistory: fakePlatformHistory(),
    pastFleet: fakePastFleet(), deviceTracks: fakeDeviceTracks(),
    providerQuality: fakeProviderQuality(), personal: fakePersonal(),
    live: fakeLive(), pipeline: fakePipeline(), audits: fakeAudits(log),
    overflowSource: fakeOverflow(log),
    rates: FREE_TENANTS.clientRates, tenants: FREE_TENANTS.tenants,
  };
  const edge = await openEdge({
    operations: operationsOf(GATEWAY_ROOMS, {
      RASTRO_SECRET_PEPPER: PEPPER, RTT_REQUIRE_OPEN_MONITORING: false,
      RASTRO_CARRIER_CLIENT_ID: undefined, RASTRO_CONTRACTS_REQUIRING_AGENCY: [],
      RASTRO_RACE_WAIT_MS_MAX: 2_000,
    }, ports as unknown as OperationsPorts),
    admission: states.admission,
    http: {
      badTokensPerMinute: gatewaysSettings.RASTRO_BAD_TOKENS_PER_MINUTE.default,
      badTokensBurst: gatewaysSettings.RASTRO_BAD_TOKENS_BURST.default,
    },
  });
  return { url: edge.url, close: () => edge.close() };
}
