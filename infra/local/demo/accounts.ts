import type { CommandResource } from '../../../schemas/generated/types.ts';
import type { Comparison } from '../../../services/provider/ledger/compare.ts';
import {
  authorizationIdentity, commandIdentity, deferredAnswerIdentity, deferredEventIdentity,
  deliveryIdentity, eventIdentity, notificationIdentity, type StoredAnswer, type StoredDelivery,
  type StoredEvent,
} from '../../../services/provider/ledger/identities.ts';
import { identityOfStored, type StoredLocation } from '../../../services/provider/ledger/identity.ts';
import type { OtherKind } from '../../../services/provider/ledger/lines.ts';
import type { Query } from './freshness.ts';

/** Where the rows of an account are looked up. */
export interface AccountPorts {
  readonly query: Query;
  readonly findCommand: (id: string) => Promise<CommandResource | undefined>;
}

/** Adds what an analyst or the query API finds under so many keys to a comparison. */
export type AddRows = (
  keys: readonly string[], comparison: Comparison, ports: AccountPorts,
) => Promise<void>;

/** Everything in which two locations may differ (services/provider/README.md, Ledger). */
const PLACE_COLUMNS = `toUnixTimestamp(ts) AS timestamp,
  toInt32(round(latitude * 1e7)) AS lat_e7, toInt32(round(longitude * 1e7)) AS lon_e7,
  altitude, accuracy, bearing, bearing_accuracy, metadata`;
const EVENT_COLUMNS = `name, toFloat64(toUnixTimestamp64Milli(start_date)) AS start_ms,
  toFloat64(toUnixTimestamp64Milli(end_date)) AS end_ms, distance, latitude, longitude`;

/** How each kind is looked up; keys are what its identities begin with. */
export const ACCOUNTS: Readonly<Record<OtherKind | 'locations', AddRows>> = {
  locations: fromView<StoredLocation>(`SELECT device_id, country_id, speed, ignition, odometer,
    ${PLACE_COLUMNS} FROM v_locations WHERE device_id IN {keys:Array(String)}`, identityOfStored),

  events: fromView<StoredEvent & { device_id: string; external_id: string }>(
    `SELECT device_id, external_id, ${EVENT_COLUMNS}
     FROM v_telemetry_events WHERE device_id IN {keys:Array(String)}`,
    (row) => eventIdentity(row.device_id, row.external_id, row),
  ),

  'deferred events': async (keys, comparison, ports) => {
    await addAnswers(keys, comparison, ports);
    await addDeferredEvents(keys, comparison, ports);
  },

  deliveries: fromView<StoredDelivery>(`SELECT traceable_id, traceable_type, external_id,
    external_type, ${PLACE_COLUMNS}
    FROM v_delivery_locations WHERE traceable_id IN {keys:Array(String)}`, deliveryIdentity),

  authorizations: addAuthorizations,
  notifications: addNotifications,

  async commands(keys, comparison, { findCommand }) {
    for (const key of keys) {
      const command = await findCommand(key);
      if (command === undefined) continue;
      const { command_id, command: name, transport, state } = command;
      comparison.addRow(commandIdentity(command_id, name, transport?.id, state));
    }
  },
};

const addAnswers = fromView<StoredAnswer & { answers: number }>(
  `SELECT request_id, toString(transport_id) AS transport_id, route_distance, events,
   toFloat64(answers) AS answers
   FROM v_deferred_answers WHERE request_id IN {keys:Array(String)}`,
  deferredAnswerIdentity, ({ answers }) => answers,
);

const addDeferredEvents = fromView<StoredEvent & { request_id: string; item: number }>(
  `SELECT request_id, item, ${EVENT_COLUMNS}
   FROM v_deferred_events WHERE request_id IN {keys:Array(String)}`,
  (row) => deferredEventIdentity(row.request_id, row.item, row),
);

interface AuthorizationRow {
  readonly transport_order_id: string;
  readonly epoch: number;
  readonly status: 'authorized' | 'cancelled';
  readonly tracking_number: string;
}

/** A row is an authorization, and a cancelled one is both. Its number must be the answered one. */
async function addAuthorizations(
  keys: readonly string[], comparison: Comparison, { query }: AccountPorts,
): Promise<void> {
  const rows = await query<AuthorizationRow>(
    `SELECT transport_order_id, epoch, status, tracking_number
     FROM v_authorizations WHERE transport_order_id IN {keys:Array(String)}`, { keys },
  );
  for (const { transport_order_id: order, epoch, status, tracking_number } of rows) {
    const numbered = authorizationIdentity(order, epoch, 'authorized', tracking_number);
    // Without an answer there is no number to compare.
    const plain = authorizationIdentity(order, epoch, 'authorized');
    comparison.addRow(comparison.knows(numbered) ? numbered : plain);
    if (status === 'cancelled') {
      comparison.addRow(authorizationIdentity(order, epoch, 'cancelled'));
    }
  }
}

interface NotificationRow {
  readonly tracking_number: string;
  readonly code: string;
  readonly carrier_code: string;
  readonly occurred_ms: number;
  readonly outcome: string;
  readonly copies: number;
}

/**
 * Notifications of the log with their outcomes. A call that was repeated after a lost answer may
 * be in the log twice, the second time without an effect: such a copy is neither lost nor doubled.
 */
async function addNotifications(
  keys: readonly string[], comparison: Comparison, { query }: AccountPorts,
): Promise<void> {
  const rows = await query<NotificationRow>(
    `SELECT n.tracking_number AS tracking_number, n.code AS code, n.carrier_code AS carrier_code,
            toFloat64(toUnixTimestamp64Milli(n.occurred_at)) AS occurred_ms,
            j.outcome AS outcome, toUInt32(count()) AS copies
     FROM v_notifications AS n
     LEFT JOIN v_journeys AS j
     ON n.tracking_number = j.tracking_number AND n.topic_id = j.topic_id
        AND n.k_partition = j.k_partition AND n.k_offset = j.k_offset
     WHERE n.tracking_number IN {keys:Array(String)}
     GROUP BY tracking_number, code, carrier_code, occurred_ms, outcome`, { keys },
  );
  for (const row of rows) {
    const identity = notificationIdentity(row.tracking_number, row);
    const isApplied = row.outcome === 'applied' || row.outcome === 'out_of_order';
    if (row.outcome === 'duplicate' && !comparison.knows(identity)) continue;
    for (let copy = 0; copy < (isApplied ? row.copies : 1); copy += 1) comparison.addRow(identity);
  }
}

function fromView<Row>(
  sql: string, identityOf: (row: Row) => string, copiesOf: (row: Row) => number = () => 1,
): AddRows {
  return async function addRows(keys, comparison, { query }) {
    for (const row of await query<Row>(sql, { keys })) {
      for (let copy = 0; copy < copiesOf(row); copy += 1) comparison.addRow(identityOf(row));
    }
  };
}
