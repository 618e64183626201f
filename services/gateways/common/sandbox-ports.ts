import type { Audits } from '../../kernel/audits.ts';
import type { DeviceTracks } from '../../kernel/device-tracks.ts';
import type { TelemetryRequests } from '../../kernel/commands.ts';
import { isFields } from '../../kernel/json-fields.ts';
import { longOf } from '../../kernel/longs.ts';
import type { Parties, PartyRecorded } from '../../kernel/parties.ts';
import type { PastFleet } from '../../kernel/past-fleet.ts';
import type { PlatformHistory } from '../../kernel/platform-history.ts';
import type { ProviderQuality } from '../../kernel/provider-quality.ts';
import type { OutgoingRecord, RecordLog } from '../../kernel/record-log.ts';
import type { ShipmentHistory } from '../../kernel/shipment-history.ts';
import type { TraceableFixes } from '../../kernel/traceables.ts';
import { dryLog } from './dry-ports.ts';

/** The log of one call to a sandbox: it takes what the log would take, and only lists it. */
export function createSandboxLog(): RecordLog & { readonly appended: readonly OutgoingRecord[] } {
  const appended: OutgoingRecord[] = [];
  return {
    appended,
    async append(record, deadlineMs) {
      await dryLog.append(record, deadlineMs);
      appended.push(record);
    },
  };
}

const NO_PAGE = { entries: [], next: undefined };
const NO_ITEMS = { items: [], total: 0, every: 1 };

/** What the tables say of who has no history. */
export const NO_HISTORY = {
  history: {
    notifications: () => Promise.resolve(NO_PAGE), journey: () => Promise.resolve(NO_PAGE),
  } satisfies ShipmentHistory,
  platformHistory: {
    lastPlace: () => Promise.resolve(undefined), deferredAnswer: () => Promise.resolve(undefined),
  } satisfies PlatformHistory,
  pastFleet: {
    find: () => Promise.resolve({ fixes: [], next: undefined }),
  } satisfies PastFleet,
  deviceTracks: {
    find: () => Promise.resolve({
      fixes: NO_ITEMS, readings: NO_ITEMS, posts: NO_ITEMS, oddFixes: [], oddTotal: 0,
    }),
  } satisfies DeviceTracks,
  providerQuality: { find: () => Promise.resolve(undefined) } satisfies ProviderQuality,
  audits: { find: () => Promise.resolve({ audits: [], next: undefined }) } satisfies Audits,
};

const notKept = (): Promise<never> => (
  Promise.reject(new Error('A sandbox keeps no positions of traceables.'))
);

/** Positions of traceables: none is known. */
export const NO_TRACEABLES: TraceableFixes = {
  offer: notKept, forget: notKept, find: () => Promise.resolve(undefined),
};

/** Every provider and carrier that a sandbox client names is there, and is never called. */
export const STAND_IN_PARTIES: Parties = {
  find: (partyId) => Promise.resolve(standIn(partyId, { kind: 'carrier' })),
  byProvider: (provider) => Promise.resolve(standIn(provider, { kind: 'provider', provider })),
  carriers: () => Promise.resolve([]),
};

function standIn(
  partyId: string, side: Pick<PartyRecorded, 'kind' | 'provider'>,
): PartyRecorded {
  return {
    type: 'PartyRecorded', party_id: partyId, name: partyId, base_url: 'https://sandbox.invalid',
    authentication: { kind: 'static', sealed_token: 'none' }, contracts_requiring_agency: [],
    status: 'active', version: 1, at_ms: 0, ...side,
  };
}

/**
 * Requests for deferred events: those of the sandbox's own commands, and else one that asked for
 * what comes, as no platform sends commands to a sandbox client.
 */
export function anyRequest(own: TelemetryRequests, body: unknown): TelemetryRequests {
  return {
    async find(provider, id) {
      const known = await own.find(provider, id);
      if (known !== undefined || !isFields(body)) return known;
      const { transport_id } = body as { transport_id: number | string };
      return { command_id: id, transport_id: longOf(transport_id), at_ms: 0 };
    },
  };
}
