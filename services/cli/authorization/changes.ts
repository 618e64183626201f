import { TOPICS } from '../../../schemas/generated/catalog.ts';
import type { AuthorizationChangeAsked, AuthorizationEvent } from '../../kernel/authorizations.ts';
import { eachFact } from '../../kernel/each-fact.ts';
import type { LogReader } from '../../kernel/record-log.ts';
import type { Report } from '../ports.ts';
import { tableOf, timeOf } from '../print/lines.ts';

/** What `rastro authorization changes` is asked for. */
export interface ChangesOptions {
  readonly order?: string;
}

/**
 * Repeats of authorizations that asked for something else, one of each content, oldest first;
 * without what was asked, which holds persons (`rastro person show` opens it).
 */
export async function listChanges(
  reader: LogReader, { order }: ChangesOptions,
): Promise<Report> {
  const changes = new Map<string, ReturnType<typeof shown>>();
  await eachFact<AuthorizationEvent | AuthorizationChangeAsked>(
    reader, [TOPICS.authorizations.name], (fact) => {
      if (fact.type !== 'AuthorizationChangeAsked') return;
      if (order !== undefined && fact.transport_order_id !== order) return;
      const { client_id, transport_order_id, epoch, content_hash } = fact;
      const name = JSON.stringify([client_id, transport_order_id, epoch, content_hash]);
      if (!changes.has(name)) changes.set(name, shown(fact));
    },
  );
  const value = [...changes.values()];
  return {
    value,
    lines: value.length === 0 ? ['No client asked for other content.'] : tableOf(
      ['AT', 'CLIENT', 'TRANSPORT_ORDER', 'TRACKING_NUMBER', 'CHANGED'],
      value.map((each) => [
        timeOf(each.at), each.client_id, each.transport_order_id, each.tracking_number,
        each.changed.join(' '),
      ]),
    ),
    exitCode: 0,
  };
}

function shown(fact: AuthorizationChangeAsked) {
  const { client_id, transport_order_id, shipment_id, epoch, tracking_number, changed } = fact;
  return {
    at: new Date(fact.at_ms).toISOString(),
    client_id, transport_order_id, shipment_id, epoch, tracking_number, changed,
  };
}
