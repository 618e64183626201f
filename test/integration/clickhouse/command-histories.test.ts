import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  foldIssued, foldResult, UNKNOWN_COMMAND,
} from '../../../services/domain/monitoring/projection.ts';
import { isFinal, stateOf } from '../../../services/domain/monitoring/result.ts';
import type { ProviderCommandResult } from '../../../services/kernel/commands.ts';
import type { LogRecord } from '../../../services/kernel/record-log.ts';
import { aCommand, aResult, newTransportId } from '../../support/command-facts.ts';
import { createHistory, record, writePosts, type History } from './history.ts';
import { postsInAnyOrder, seedOfRun } from './random-order.ts';

const NOW_MS = Date.now();
const HISTORIES = 120;
let history: History;

beforeAll(async () => { history = await createHistory(); });
afterAll(async () => { await history.drop(); });

const aCommandEnd = fc.record({
  fence: fc.integer({ min: 1, max: 3 }),
  attempt: fc.integer({ min: 1, max: 3 }),
  outcome: fc.constantFrom('done', 'refused', 'ended', 'cancelled', 'retry', 'retry', 'retry'),
  status: fc.constantFrom(200, 400, 403, 503),
  reason: fc.constantFrom('answered', 'timeout', 'network'),
}) as fc.Arbitrary<Partial<ProviderCommandResult>>;

it('analysts see of each command the result that counts in the state store, too', async () => {
  const command = aCommand('start_tracking', newTransportId());
  const seed = seedOfRun();
  const samples = fc.sample(fc.array(aCommandEnd, { maxLength: 6 }), { numRuns: HISTORIES, seed });
  const histories = samples.map((reported, at) => {
    const issued = {
      ...command, command_id: `${command.command_id}-${at}`, at_ms: NOW_MS - 60_000,
    };
    const results = reported.map((each, nth) => aResult(issued, { ...each, at_ms: NOW_MS + nth }));
    return { issued, results };
  });
  // The offsets are in the order of the log; the rows come in any order, and some twice.
  const records = histories.flatMap(({ issued, results }): LogRecord[] => [
    record('provider.commands.v1', issued.command_key, issued, {
      receivedAtMs: issued.at_ms,
      headers: { 'ingest-id': issued.command_id, provider: issued.provider },
    }),
    ...results.map((result) => (
      record('provider.command-results.v1', result.command_key, result, {
        receivedAtMs: result.at_ms,
      })
    )),
  ]);
  for (const post of postsInAnyOrder(records, seed)) {
    expect(await writePosts(history.ingest, post)).toEqual([]);
  }
  const rows = await history.analyst.query(
    `SELECT command_id, state, attempts, status, reason, ended_at IS NULL AS is_open
     FROM v_commands WHERE transport_id = {id:Int64}`, { id: Number(command.command_key) },
  );
  const seen = new Map(rows.map((row) => [row['command_id'], row]));
  for (const { issued, results } of histories) {
    const { result } = results.reduce(foldResult, foldIssued(UNKNOWN_COMMAND, issued));
    expect({ seed, results, row: seen.get(issued.command_id) }).toEqual({
      seed, results,
      row: {
        command_id: issued.command_id,
        state: stateOf(result),
        attempts: String(result?.attempt ?? 0),
        status: result?.status ?? null,
        reason: result?.reason ?? '',
        is_open: result !== undefined && isFinal(result.outcome) ? 0 : 1,
      },
    });
  }
});
