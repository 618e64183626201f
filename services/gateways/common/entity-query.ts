import type { Answer } from '../../kernel/http.ts';
import { badCursor, badFilter, badLimit, missingParameter, readLimit } from './page.ts';
import type { EntityCursor, EntityQuestion } from './read-entities.ts';
import { readParts, writeParts } from './read-page.ts';

/** What a call asks for by the name of an entity, and behind which device of the page before. */
export type EntityQuery =
  | {
    readonly kind: 'question';
    readonly question: Omit<EntityQuestion, 'clients'>;
    readonly after: EntityCursor | undefined;
  }
  | { readonly kind: 'refused'; readonly answer: Answer };

const ID = 'external_entity_id';
const TYPE = 'external_entity_type';
const GENERATION = /^\d{1,9}$/;

/** Reads the parameters of a call that finds devices by the name of their entity. */
export function readEntityQuery(query: Readonly<Record<string, string>>): EntityQuery {
  const { [ID]: entityId, [TYPE]: entityType, cursor } = query;
  const refusal = badFilter(query, [ID, TYPE]);
  if (refusal !== undefined) return refused(refusal);
  if (entityId === undefined) {
    return refused(missingParameter(
      ID, `The parameter ${ID} is mandatory: the provider's own name of the device`, query,
    ));
  }
  const limit = readLimit(query['limit']);
  if (limit === undefined) return refused(badLimit());
  const after = cursor === undefined ? undefined : readEntityCursor(cursor);
  if (cursor !== undefined && after === undefined) return refused(badCursor());
  return { kind: 'question', question: { entityId, entityType, limit }, after };
}

/** A place in a list of registrations as opaque text. */
export function writeEntityCursor({ clientId, generation, deviceId }: EntityCursor): string {
  return writeParts([clientId, generation, deviceId]);
}

function readEntityCursor(text: string): EntityCursor | undefined {
  const [clientId = '', generation = '', deviceId = ''] = readParts(text, 3) ?? [];
  return clientId !== '' && GENERATION.test(generation)
    ? { clientId, generation: Number(generation), deviceId } : undefined;
}

function refused(answer: Answer): EntityQuery {
  return { kind: 'refused', answer };
}
