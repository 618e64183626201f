import { expect, it } from 'vitest';
import { Unavailable } from '../../../services/kernel/unavailable.ts';
import type { Leases } from '../../../services/kernel/leases.ts';
import { POISON_FLOOD_LIMITS } from '../../../services/workers/common/poison-flood.ts';
import { COMMAND_SENDER_LIMITS } from '../../../services/workers/parties/commands/config.ts';
import {
  createCommandSender, type CommandSender,
} from '../../../services/workers/parties/commands/pipeline.ts';
import { fakeRecordLog } from '../../support/fake-log.ts';
import { fakeFoldSource, memoryFolds } from '../../support/fake-log-tail.ts';
import { memoryStates } from '../../support/memory-states.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import { wallClock } from '../../support/kafka-logs.ts';
import { readRecord } from '../../support/read-record.ts';
import { memoryItemDefects } from '../../support/memory-defects.ts';

const PARTITION = { topic: 'provider.commands.v1', topicId: 'id', partition: 0 };

/** A command sender that cannot read the log; its lease is claimed through `leases`. */
function openSender(leases: Leases): CommandSender {
  const { commands, parties } = memoryStates();
  return createCommandSender({
    ...POISON_FLOOD_LIMITS, ...COMMAND_SENDER_LIMITS, holdMs: 1,
    topics: { commands: PARTITION.topic, results: 'provider.command-results.v1' },
  }, {
    readRecord,
    leases, commands, parties, owner: 'first', clock: wallClock, log: fakeRecordLog(),
    signals: silentSignals, random: () => 1,
    ...fakeFoldSource(() => []), folds: memoryFolds(),
    topicIds: () => Promise.reject(new Unavailable('log_unavailable', 'consume', 'in this test')),
    tokens: { current: async () => ({ kind: 'token', token: 't' }), discard: () => undefined },
    outbound: async () => ({ kind: 'lost', reason: 'network' }),
    deadLetters: { write: async () => undefined },
    pause: () => new Promise((resolve) => { setImmediate(resolve); }),
    ring: () => () => undefined,
    itemDefects: memoryItemDefects(),
    onCrash: (error) => { throw error; },
  });
}

// Simulator, model commands: no command of the partition went out any more (I16).
it('releases the lease on a partition that left while its takeover failed', async () => {
  const { leases } = memoryStates();
  let answer: () => void = () => undefined;
  const answered = new Promise<void>((resolve) => { answer = resolve; });
  let claims = 0;
  const first = openSender({
    ...leases,
    async claim(...args) {
      claims += 1;
      const fence = await leases.claim(...args);
      await answered;
      return fence;
    },
  });
  await first.onAssigned([PARTITION]);
  await expect.poll(() => claims).toBe(1);
  await first.onRevoked([PARTITION]);
  answer();
  await expect.poll(() => leases.claim('commands:0', 'second', 1_000, 0)).toBeGreaterThan(0);
  await first.stop();
});
