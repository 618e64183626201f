import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Query } from '../../../infra/local/demo/freshness.ts';
import { balanceAll, isClean, total } from '../../../infra/local/demo/ledger.ts';
import { wrongStates } from '../../../infra/local/demo/last-states.ts';
import type { CommandResource } from '../../../schemas/generated/types.ts';
import type { LedgerLine, OtherKind, PostOutcome } from '../../../services/provider/ledger/lines.ts';

let dir: string;
beforeEach(() => { dir = mkdtempSync(join(tmpdir(), 'rastro-ledger-')); });
afterEach(() => { rmSync(dir, { recursive: true }); });

let posts = 0;
/** A post with its end; `learned` are identities that the answer gave. */
function post(
  kind: OtherKind, items: readonly string[], outcome: PostOutcome | 'none' = 'accepted',
  learned?: readonly string[],
): LedgerLine[] {
  posts += 1;
  const name = `run-${posts}`;
  const begun = { line: 'items', kind, post: name, at_ms: 0, items } as const;
  if (outcome === 'none') return [begun];
  const more = learned === undefined ? {} : { items: learned };
  return [begun, { line: 'end', post: name, at_ms: 0, outcome, tries: 1, ...more }];
}

function ledgerOf(lines: readonly LedgerLine[]): string {
  const path = join(dir, 'ledger.jsonl');
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return path;
}

/** Answers each query with the rows of the view that it reads first. */
function rowsOf(views: Readonly<Record<string, readonly object[]>>): Query {
  return async <Row>(sql: string) =>
    (views[/FROM (v_\w+)/.exec(sql)?.[1] ?? ''] ?? []) as readonly Row[];
}

const noCommand = async () => undefined;

describe('the ledger of npm start', () => {
  it('finds what is lost and what is doubled, in the book of its kind', async () => {
    const event = { name: 'idle', start_ms: 1, end_ms: 2, distance: 3, latitude: 4, longitude: 5 };
    const path = ledgerOf([
      ...post('events', ['d1|x1|idle|1|2|3|4|5', 'd1|x2|idle|1|2|3|4|5']),
      ...post('deferred events', ['r1|answer|7|1.5|0']),
    ]);
    const balances = await balanceAll(path, {
      findCommand: noCommand,
      query: rowsOf({
        v_telemetry_events: [{ device_id: 'd1', external_id: 'x1', ...event }],
        v_deferred_answers: [
          { request_id: 'r1', transport_id: 7, route_distance: 1.5, events: 0, answers: 2 },
        ],
      }),
    });
    expect(balances.get('events')).toMatchObject({ accepted: 2, stored: 1, lost: 1, doubled: 0 });
    expect(balances.get('deferred events')).toMatchObject({ stored: 1, lost: 0, doubled: 1 });
    expect(total(balances)).toMatchObject({ accepted: 3, stored: 2, lost: 1, doubled: 1 });
    expect(isClean(total(balances))).toBe(false);
  });

  it('compares the tracking number that was answered, where an answer came', async () => {
    const path = ledgerOf([
      ...post('authorizations', ['o1|1|authorized'], 'accepted', ['o1|1|authorized|RS1']),
      ...post('authorizations', ['o1|1|cancelled']),
      ...post('authorizations', ['o2|1|authorized'], 'none'),
      ...post('authorizations', ['o3|1|authorized'], 'accepted', ['o3|1|authorized|RS3']),
    ]);
    const row = { epoch: 1, status: 'authorized' };
    const balances = await balanceAll(path, {
      findCommand: noCommand,
      query: rowsOf({
        v_authorizations: [
          { ...row, transport_order_id: 'o1', status: 'cancelled', tracking_number: 'RS1' },
          { ...row, transport_order_id: 'o2', tracking_number: 'RS2' },
          { ...row, transport_order_id: 'o3', tracking_number: 'RS9' },
        ],
      }),
    });
    expect(balances.get('authorizations')).toMatchObject({
      accepted: 3, stored: 2, stored_unconfirmed: 1, lost: 1, phantom: 1,
    });
  });

  it('wants of each notification what must come of it, and bears copies without an effect',
    async () => {
      const path = ledgerOf(['applied', 'duplicate', 'ignored_after_final', 'out_of_order']
        .flatMap((outcome) => post('notifications', [`RS1|C|c|9|${outcome}`])));
      const row = { tracking_number: 'RS1', code: 'C', carrier_code: 'c', occurred_ms: 9 };
      const found = (outcomes: Readonly<Record<string, number>>) => balanceAll(path, {
        findCommand: noCommand,
        query: rowsOf({
          v_notifications: Object.entries(outcomes).map(([outcome, copies]) => (
            { ...row, outcome, copies }
          )),
        }),
      });
      const fine = await found({
        applied: 1, duplicate: 3, ignored_after_final: 2, out_of_order: 1,
      });
      expect(isClean(total(fine))).toBe(true);
      const wrong = await found({ applied: 2, duplicate: 1, ignored_after_final: 1 });
      expect(wrong.get('notifications')).toMatchObject({ stored: 3, lost: 1, doubled: 1 });
      const unjudged = await found({ '': 1 });
      expect(unjudged.get('notifications')).toMatchObject({ stored: 0, lost: 4, phantom: 1 });
    });

  it('wants each command to be done', async () => {
    const path = ledgerOf(['c1', 'c2'].flatMap((id) =>
      post('commands', ['|stop_tracking|7|done'], 'accepted', [`${id}|stop_tracking|7|done`])));
    const balances = await balanceAll(path, {
      query: rowsOf({}),
      findCommand: async (command_id) => ({
        command_id, provider: 'demo', command: 'stop_tracking', transport: { id: 7 },
        state: command_id === 'c1' ? 'done' : 'refused', attempts: 1, issued_at: '',
      } satisfies CommandResource),
    });
    expect(balances.get('commands')).toMatchObject({ stored: 1, lost: 1, phantom: 1 });
  });

  it('says which shipments do not stand where they must', async () => {
    const path = ledgerOf([
      ...post('notifications', ['RS1|A|a|1|applied', 'RS2|A|a|1|applied', 'RS3|A|a|1|applied']),
      ...post('notifications', ['RS1|B|b|2|applied', 'RS1|A|a|1|duplicate']),
      ...post('notifications', ['RS3|B|b|2|applied'], 'none'),
    ]);
    const wrong = await wrongStates(path, rowsOf({
      v_shipment_last: [
        { tracking_number: 'RS1', code: 'B', carrier_code: 'b', occurred_ms: 2, final: true },
        { tracking_number: 'RS2', code: 'A', carrier_code: 'a', occurred_ms: 1, final: false },
      ],
    }));
    expect(wrong).toEqual(['shipment RS2 has no end: RS2|A|a|1|applied']);
  });
});
