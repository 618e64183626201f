import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AuditFilter, Audits } from '../../services/kernel/audits.ts';
import type { CommandAudited } from '../../schemas/generated/types.ts';
import { anAudit } from './fake-audits.ts';

/** One kind of audits and the way to fill it. */
export interface OpenedAudits {
  readonly audits: Audits;
  record(audits: readonly CommandAudited[]): Promise<void>;
  close(): Promise<void>;
}

const FIRST_MS = Date.UTC(2026, 10, 27, 12);
const idOf = (nth: number): string => `0198c0de-0000-7000-8000-00000000000${nth}`;
const ALL: AuditFilter = { since_ms: FIRST_MS, until_ms: FIRST_MS + 10_000, commands: [] };

/** Two of them at one time; the last one has neither reason, subject nor number of records. */
const { records: _, reason: __, ...BARE } = anAudit();
const AUDITS: readonly CommandAudited[] = [
  anAudit({ audit_id: idOf(1), at_ms: FIRST_MS }),
  anAudit({ audit_id: idOf(2), at_ms: FIRST_MS + 1_000, command: 'dlq ls', actor: 'ana@ops-1', actor_from: 'system' }),
  anAudit({ audit_id: idOf(3), at_ms: FIRST_MS + 2_000, command: 'overflow add', touches: 'overflow', subject: 'provider:acme' }),
  anAudit({ audit_id: idOf(4), at_ms: FIRST_MS + 2_000, records: 5_000 }),
  { ...BARE, audit_id: idOf(5), at_ms: FIRST_MS + 10_000, command: 'client list', touches: 'clients', subject: '' },
];

/** What every kind of audits obeys. */
export function auditsSuite(open: () => Promise<OpenedAudits>): void {
  let at: OpenedAudits;
  beforeAll(async () => {
    at = await open();
    await at.record(AUDITS);
  });
  afterAll(() => at.close());

  const found = async (change: Partial<AuditFilter> = {}) => (
    (await at.audits.find({ ...ALL, ...change }, undefined, 100)).audits
      .map(({ audit_id }) => Number(audit_id.at(-1))));

  it('gives the newest first, whole, and says that none follows', async () => {
    expect(await at.audits.find(ALL, undefined, 5)).toEqual({
      audits: [AUDITS[4], AUDITS[3], AUDITS[2], AUDITS[1], AUDITS[0]], next: undefined,
    });
  });

  it('gives all by pages of any size, each once, also two of one time', async () => {
    for (const limit of [1, 2, 3, 4]) {
      const seen: string[] = [];
      let after: CommandAudited | undefined;
      for (let pages = 0; pages < 9; pages += 1) {
        const page = await at.audits.find(ALL, after, limit);
        seen.push(...page.audits.map(({ audit_id }) => audit_id));
        after = page.next as CommandAudited | undefined;
        if (after === undefined) break;
      }
      expect(seen, String(limit)).toEqual([5, 4, 3, 2, 1].map(idOf));
    }
  });

  it('has both ends of its time, and nothing beyond', async () => {
    const between = (since: number, until: number) => (
      found({ since_ms: FIRST_MS + since, until_ms: FIRST_MS + until }));
    expect(await between(1_000, 2_000)).toEqual([4, 3, 2]);
    expect(await between(1_001, 1_999)).toEqual([]);
  });

  it.each<[string, Partial<AuditFilter>, readonly number[]]>([
    ['an actor', { actor: 'ana@ops-1' }, [2]],
    ['a part of an actor', { actor: 'ana' }, []],
    ['a beginning of commands', { commands: ['dlq'] }, [4, 2, 1]],
    ['several of them', { commands: ['dlq replay', 'overflow'] }, [4, 3, 1]],
    ['what is within a command alone', { commands: ['replay'] }, []],
    ['a command with a sign of patterns', { commands: ['dlq%'] }, []],
    ['a subject', { subject: 'provider:acme' }, [3]],
    ['all of them', { actor: '900000000000001', commands: ['dlq'], subject: 'topic:rtt.locations.v1' }, [4, 1]],
  ])('filters by %s', async (_what, change, expected) => {
    expect(await found(change)).toEqual(expected);
  });
}
