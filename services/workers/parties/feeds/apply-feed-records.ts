import type { FeedRead, FeedStates } from '../../../kernel/feeds.ts';
import { isDecoded } from '../../../kernel/record-log.ts';
import { all, isText, isWhole, parseFields } from '../../../kernel/json-fields.ts';
import { poisoned, type ApplyRecords, type Outcome } from '../../common/outcomes.ts';

/** Puts how far each feed was read into the state store again: for the rebuild. */
export function createFeedApplier(feeds: Pick<FeedStates, 'advance'>): ApplyRecords {
  return async function applyFeedRecords(records) {
    const outcomes: Outcome[] = [];
    for (const record of records) {
      const fact = isDecoded(record) ? parseFields(record.value) : undefined;
      if (!isDecoded(record)) {
        outcomes.push(poisoned(record, 'undecodable', 'not in the wire format'));
      } else if (fact?.['type'] !== 'FeedRead' || !all(fact, ['items', 'pages', 'at_ms'], isWhole)
        || !all(fact, ['carrier', 'tracking_number', 'cursor'], isText)) {
        outcomes.push(poisoned(record, 'record_invalid', 'does not say how far a feed was read'));
      } else {
        await feeds.advance(fact as unknown as FeedRead);
        outcomes.push({ kind: 'applied', record });
      }
    }
    return outcomes;
  };
}
