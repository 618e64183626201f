import type { ErrorForm, Operation } from '../../../kernel/http.ts';
import type { ItemOutcomeReader } from '../../../kernel/ingest.ts';
import { defineOperation } from '../../common/catalog.ts';
import { ingestResource } from '../ingest-resource.ts';
import { noSuchIngest } from '../../common/refusals.ts';

/**
 * `GET …/ingest/{ingest_id}`: the outcome of every item of an accepted call of the caller, or for
 * the platform of any client. There are three, because senders of locations, senders of
 * notifications and the platform have tokens of other audiences.
 */
export function showIngest(
  id: 'show-ingest' | 'show-tracking-ingest' | 'show-platform-ingest',
  itemOutcomes: ItemOutcomeReader, errors: ErrorForm,
): Operation {
  const isOfAny = id === 'show-platform-ingest';
  return defineOperation(id, {
    errors,
    async handle({ caller, params }) {
      const ingestId = params.ingest_id.toLowerCase();
      const records = await itemOutcomes.find(isOfAny ? undefined : caller.clientId, ingestId);
      if (records.length === 0) return noSuchIngest();
      return { kind: 'answer', status: 200, body: ingestResource(ingestId, records) };
    },
  });
}
