import { TOPICS } from '../../../../schemas/generated/catalog.ts';
import type { PersonalKeyDropped, PersonalKeyStates } from '../../../kernel/personal.ts';
import type { LogHandler, RecordLog } from '../../../kernel/record-log.ts';
import { createKeeper, type KeeperPorts } from '../../common/keeper.ts';
import type { PoisonFloodConfig } from '../../common/poison-flood.ts';
import type { ReadRecord } from '../../common/read-record.ts';
import { createPersonalApplier } from './apply-personal-records.ts';

/** Settings of the personal keeper. */
export interface PersonalKeeperConfig extends PoisonFloodConfig {
  /** How long the appends of one batch may take, in milliseconds. */
  readonly appendMsMax: number;
}

/** What the personal keeper works with. */
export interface PersonalKeeperPorts extends Omit<KeeperPorts, 'applyRecords'> {
  readonly personalKeys: Pick<PersonalKeyStates, 'apply'>;
  readonly log: RecordLog;
  readonly readRecord: ReadRecord;
}

/**
 * Keeps the keys of personal data in the state store equal to the log. A key of somebody who was
 * erased, made by a caller who did not know yet, is dropped in the log too before the commit.
 */
export function createPersonalKeeper(
  config: PersonalKeeperConfig, ports: PersonalKeeperPorts,
): LogHandler {
  const { personalKeys, log, clock } = ports;
  return createKeeper({ ...config, worker: 'personal-keeper' }, {
    ...ports,
    applyRecords: createPersonalApplier(personalKeys, ports.readRecord, async (keys) => {
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
    }),
  });
}
