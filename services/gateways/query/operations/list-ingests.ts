import type { AcceptedCalls } from '../../../../schemas/generated/types.ts';
import type { Clock, Pause } from '../../../kernel/clock.ts';
import type { ErrorForm, Operation } from '../../../kernel/http.ts';
import type { AcceptedCall, ItemOutcomeReader } from '../../../kernel/ingest.ts';
import { defineOperation } from '../../common/catalog.ts';
import { notificationErrors } from '../../common/notification-errors.ts';
import { badParameter } from '../../common/page.ts';
import { problemErrors } from '../../common/problem.ts';
import { createTenantReads, type TenantReads } from '../../common/tenant-slots.ts';

/** What listing accepted calls needs from outside. */
export interface IngestListPorts {
  readonly clock: Clock;
  readonly pause: Pause;
  readonly itemOutcomes: Pick<ItemOutcomeReader, 'newest'>;
}

/** Calls of an answer, unless the caller asks for another number; and the most it may ask for. */
const CALLS = { usual: 20, max: 100 } as const;
const LIMIT = /^[1-9]\d{0,2}$/;
/** How far back calls are looked for: the ledger is ordered by time, not by client. */
const BACK_MS = 86_400_000;

/**
 * `GET …/ingest`: the newest accepted calls of the caller, with the ids that their outcomes are
 * asked by. There are two, because senders of locations and senders of notifications have tokens of
 * other audiences; a user reads one list at a time.
 */
export function listIngests(ports: IngestListPorts): readonly Operation[] {
  const readInSlot = createTenantReads('lists of calls', ports.pause);
  return [
    listOne('list-ingests', ports, problemErrors, readInSlot),
    listOne('list-tracking-ingests', ports, notificationErrors, readInSlot),
  ];
}

function listOne(
  id: 'list-ingests' | 'list-tracking-ingests', { clock, itemOutcomes }: IngestListPorts,
  errors: ErrorForm, readInSlot: TenantReads,
): Operation {
  return defineOperation(id, {
    errors,
    async handle({ caller, query }) {
      const limit = readCalls(query['limit']);
      if (limit === undefined) {
        return badParameter('limit', `limit must be a number from 1 to ${CALLS.max}.`);
      }
      const since = { sinceMs: clock.nowMs() - BACK_MS, limit };
      return readInSlot(caller.userId, async () => {
        const calls = await itemOutcomes.newest(caller.clientId, since);
        const body: AcceptedCalls = { calls: calls.map(callOf) };
        return { kind: 'answer', status: 200, body };
      });
    },
  });
}

function callOf(
  { ingestId, received_at_ms, kind, provider, items }: AcceptedCall,
): AcceptedCalls['calls'][number] {
  return {
    ingest_id: ingestId, received_at: new Date(received_at_ms).toISOString(), kind, items,
    ...(provider === '' ? {} : { provider }),
  };
}

function readCalls(text: string | undefined): number | undefined {
  if (text === undefined) return CALLS.usual;
  return LIMIT.test(text) && Number(text) <= CALLS.max ? Number(text) : undefined;
}
