import { TOPICS } from '../../schemas/generated/catalog.ts';
import type { Audits } from '../../services/kernel/audits.ts';
import { Unavailable } from '../../services/kernel/unavailable.ts';
import { byNewest, isAskedFor } from '../../services/operator/audit/filter.ts';
import type { CommandAudited } from '../../schemas/generated/types.ts';
import type { FakeRecordLog } from './fake-log.ts';

/** {@link Audits} in memory: those of a log in memory, and what a test adds. */
export interface FakeAudits extends Audits {
  add(...audits: readonly CommandAudited[]): void;
  /** From now on the tables do not answer, until they are found again. */
  lose(): void;
  heal(): void;
}

/** Opens the audits of a log. */
export function fakeAudits(log?: Pick<FakeRecordLog, 'of'>): FakeAudits {
  const added: CommandAudited[] = [];
  let isLost = false;
  return {
    add(...audits) { added.push(...audits); },
    lose() { isLost = true; },
    heal() { isLost = false; },
    async find(filter, after, limit) {
      if (isLost) throw new Unavailable('sink_unavailable', 'receive', 'as the test asked');
      const appended = log?.of(TOPICS.audit.name).map(({ value }) => value as CommandAudited) ?? [];
      const all = [...added, ...appended].filter((fact) => isAskedFor(filter, fact))
        .toSorted(byNewest);
      const from = after === undefined ? all : all.filter((fact) => (
        fact.at_ms < after.at_ms
        || (fact.at_ms === after.at_ms && fact.audit_id < after.audit_id)));
      const audits = from.slice(0, limit);
      return { audits, next: from.length > limit ? audits.at(-1) : undefined };
    },
  };
}

/** A replay from the console. */
export function anAudit(change: Partial<CommandAudited> = {}): CommandAudited {
  return {
    type: 'CommandAudited', audit_id: '0198c0de-0000-7000-8000-000000000001',
    actor: '900000000000001', actor_from: 'token', command: 'dlq replay', touches: 'dead-letters',
    subject: 'topic:rtt.locations.v1', reason: 'ticket 4711', records: 250,
    at_ms: 1_764_000_000_000, ...change,
  };
}
