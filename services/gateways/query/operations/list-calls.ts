import { OPERATIONS } from '../../../../schemas/generated/catalog.ts';
import type { ClientCalls } from '../../../../schemas/generated/types.ts';
import type { AccessStates, ClientRecorded } from '../../../kernel/access.ts';
import type { ErrorForm, Operation } from '../../../kernel/http.ts';
import type { KeptRefusals, RefusalStore } from '../../../kernel/refusals.ts';
import type { KeptTaken, TakenCallStore } from '../../../kernel/taken-calls.ts';
import { defineOperation, type OperationId } from '../../common/catalog.ts';

/** Who knows what was answered to clients lately. */
export interface CallListPorts {
  readonly access: Pick<AccessStates, 'findClient'>;
  readonly taken: Pick<TakenCallStore, 'find'>;
  readonly refusals: Pick<RefusalStore, 'find'>;
}

const REFUSED_MAX = 100;

/**
 * `GET …/calls`: which operations are open to the caller, when each answered it with success, and
 * what was refused to it lately: all that an integration has done and what is left to do. There are
 * three, because senders of locations, of notifications and of authorizations have tokens of other
 * audiences.
 */
export function listCalls(
  id: 'list-calls' | 'list-tracking-calls' | 'list-authorization-calls', { access, taken, refusals }: CallListPorts,
  errors: ErrorForm,
): Operation {
  return defineOperation(id, {
    errors,
    async handle({ caller: { clientId } }) {
      const [client, kept, refused] = await Promise.all([
        access.findClient(clientId), taken.find(clientId), refusals.find(clientId),
      ]);
      const body: ClientCalls = {
        operations: operationsOpenTo(client).map((each) => operationOf(each, kept)),
        refused: refused.slice(0, REFUSED_MAX).map(refusedOf),
      };
      return { kind: 'answer', status: 200, body };
    },
  });
}

/**
 * In the order of the interface; the one that issues tokens is open to every client, and one that
 * providers serve themselves to none.
 */
function operationsOpenTo(client: ClientRecorded | undefined): readonly OperationId[] {
  const { audiences = [], scopes = [] } = client ?? {};
  const has = (all: readonly string[], one: string | null): boolean => (
    one !== null && all.includes(one)
  );
  return (Object.keys(OPERATIONS) as OperationId[]).filter((id) => {
    const { audience, scope, server } = OPERATIONS[id];
    if (server === 'provider_url') return false;
    return id === 'issue-token'
      || (has(audiences, audience) && (scope === null || has(scopes, scope)));
  });
}

function operationOf(
  operation: OperationId, kept: readonly KeptTaken[],
): ClientCalls['operations'][number] {
  const own = kept.find((each) => each.operation === operation);
  return {
    operation,
    ...(own === undefined ? {} : {
      first_at: isoOf(own.first_at_ms), last_at: isoOf(own.last_at_ms),
    }),
  };
}

function refusedOf(
  { operation, status, code, pointers, count, first_at_ms, last_at_ms }: KeptRefusals,
): ClientCalls['refused'][number] {
  return {
    operation, status, code, pointers: [...pointers], calls: count,
    first_at: isoOf(first_at_ms), last_at: isoOf(last_at_ms),
  };
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}
