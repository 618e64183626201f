import type { Markers } from './markers.ts';
import type { ProbeAccount } from './accounts.ts';
import type { FollowedRecord } from './open-feeds.ts';
import type { Planted } from './planted.ts';

/** Marks what only the feeds have. */
export function markFollowed(
  markers: Markers, { name }: ProbeAccount, { followed }: Planted,
): void {
  markers.mark(name, ['facts'], followed);
}

/** What comes into the log while callers follow: of each kind of fact one, of every account. */
export function recordsOf(
  { client: { client_id }, provider }: ProbeAccount, things: Planted,
): readonly FollowedRecord[] {
  const { followed, shipment, command, detail, ingest, transport, latitude } = things;
  const headers = {
    client: client_id, provider, country: 'BR', 'received-at': String(Date.now()), n: '1',
    'ingest-id': ingest,
  };
  const at_ms = Date.now();
  const timestamp = Math.floor(at_ms / 1_000);
  return [
    {
      output: 'deviceLifecycle', key: followed, headers, value: {
        type: 'DeviceTrackingStarted', device_id: followed, client_id, epoch: 2,
        transport_id: transport, country_id: 'BR', at_ms,
      },
    },
    {
      output: 'locations', key: followed, headers, value: {
        device_id: followed, post_timestamp: timestamp,
        locations: [{ timestamp, country_id: 'BR', latitude, longitude: 10.5 }],
      },
    },
    {
      output: 'providerCommandResults', key: provider, headers, value: {
        type: 'ProviderCommandResult', command_id: command, provider,
        command_key: String(transport), attempt: 1, outcome: 'done', status: 200,
        reason: 'answered', at_ms,
      },
    },
    {
      output: 'journey', key: shipment, headers, value: {
        type: 'JourneyRecorded', tracking_number: shipment, client_id, carrier: client_id,
        source: 'push', code: 'EX-HUB', outcome: 'applied', rule: 'first',
      },
    },
    { output: 'notifications', key: shipment, headers, value: {} },
    {
      output: 'deadLetters', key: 'T', headers: {}, value: {
        origin: { topic: 'rtt.locations.v1', topic_id: 'T', partition: 0, offset: 1 },
        headers, worker: 'table-writer', stage: 'insert', code: 'sink_rejected', detail, at_ms,
      },
    },
  ];
}
