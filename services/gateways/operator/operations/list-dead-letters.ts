import type { DeadLetterGroups } from '../../../../schemas/generated/types.ts';
import type { Answer, Operation } from '../../../kernel/http.ts';
import type { DeadLetterSummary } from '../../../operator/dead-letters/dead-letter.ts';
import type { OpenDeadLetterLog } from '../../../operator/dead-letters/open-log.ts';
import { groupBySignature, type SignatureGroup } from '../../../operator/dead-letters/signatures.ts';
import { defineOperation } from '../../common/catalog.ts';
import { problemErrors } from '../../common/problem.ts';

/** What listing needs from outside. */
export interface ListDeadLettersPorts {
  readonly open: Pick<OpenDeadLetterLog, 'read'>;
}

const GROUPS_MAX = 500;

/** `GET /operator/dead_letters`: what is open, by cause, each with a sample without its value. */
export function listDeadLetters(ports: ListDeadLettersPorts): Operation {
  return defineOperation('list-dead-letters', {
    errors: problemErrors, handle: () => handle(ports),
  });
}

async function handle({ open }: ListDeadLettersPorts): Promise<Answer> {
  const log = await open.read();
  const groups = groupBySignature(log.deadLetters.values());
  const body: DeadLetterGroups = {
    dead_letters: log.open,
    groups: groups.slice(0, GROUPS_MAX).map((group) => groupResource(group)),
    has_more: groups.length > GROUPS_MAX || log.open > log.deadLetters.size,
  };
  return { kind: 'answer', status: 200, body };
}

function groupResource(group: SignatureGroup): DeadLetterGroups['groups'][number] {
  const { signature, topic, stage, code, detail, workers, hint, sample } = group;
  return {
    signature, topic, stage, code, detail, workers: [...workers], dead_letters: group.deadLetters,
    first_at: isoOf(group.firstAtMs), last_at: isoOf(group.lastAtMs), hint,
    sample: sampleResource(sample),
  };
}

function sampleResource(
  { id, key, headers, valueBytes }: DeadLetterSummary,
): DeadLetterGroups['groups'][number]['sample'] {
  return { id, key: key ?? null, headers: { ...headers }, value_bytes: valueBytes };
}

function isoOf(epochMs: number): string {
  return new Date(epochMs).toISOString();
}
