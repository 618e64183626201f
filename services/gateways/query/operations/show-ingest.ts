import type { ErrorForm, Operation } from '../../../kernel/http.ts';
import type { ItemOutcomeReader } from '../../../kernel/ingest.ts';
import { defineOperation } from '../../common/catalog.ts';
import { ingestResource } from '../ingest-resource.ts';
import { noSuchIngest } from '../refusals.ts';

/**
 * `GET …/ingest/{ingest_id}`: the outcome of every item of an accepted call of the caller. There
 * are two, because senders of locations and of notifications have tokens of other audiences.
 */
export function showIngest(
  id: 'show-ingest' | 'show-tracking-ingest', itemOutcomes: ItemOutcomeReader, errors: ErrorForm,
): Operation {
  return defineOperation(id, {
    errors,
    async handle({ caller, params }) {
      const ingestId = params.ingest_id.toLowerCase();
      const records = await itemOutcomes.find(caller.clientId, ingestId);
      if (records.length === 0) return noSuchIngest();
      return { kind: 'answer', status: 200, body: ingestResource(ingestId, records) };
    },
  });
}
