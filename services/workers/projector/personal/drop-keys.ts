import { TOPICS } from '../../../../schemas/generated/catalog.ts';
import type { Clock } from '../../../kernel/clock.ts';
import type { PersonalKeyDropped } from '../../../kernel/personal.ts';
import type { RecordLog } from '../../../kernel/record-log.ts';
import type { DropKeys } from './apply-personal-records.ts';

/**
 * Drops in the log the keys of a person who was erased, which were made by a caller that did not
 * know yet. All are dropped before the batch is committed.
 */
export function createDropKeys(
  config: { readonly appendMsMax: number },
  { log, clock }: { readonly log: RecordLog; readonly clock: Clock },
): DropKeys {
  return async function dropKeys(keys) {
    const atMs = clock.nowMs();
    for (const { subject, key_id } of keys) {
      const fact: PersonalKeyDropped = {
        type: 'PersonalKeyDropped', subject, key_id, at_ms: atMs,
      };
      await log.append({
        topic: TOPICS.personalKeys.name,
        key: `${subject}|${key_id}`,
        value: Buffer.from(JSON.stringify(fact)),
        headers: {},
      }, atMs + config.appendMsMax);
    }
  };
}
