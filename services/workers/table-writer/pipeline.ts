import type { CommitOffset, LogHandler } from '../../kernel/record-log.ts';
import { offsetsOf, type Chain } from './chains.ts';
import type { TableWriterConfig, TableWriterPorts } from './config.ts';
import { createStages } from '../common/stages.ts';
import { TABLE_STAGES } from '../workers.ts';
import { createBatchFormer } from './form-batches.ts';
import { partitionName } from './ranges.ts';
import { createBatchWriter } from './write-batch.ts';

/**
 * Brings posts of every kind from the log into the analytical store. Each row goes in once: batches
 * are remembered before the insert and formed again after a crash, under the same token. A fault
 * leaves everything as it was, so that the consumer may hand in the same records again.
 */
export function createTableWriter(config: TableWriterConfig, ports: TableWriterPorts): LogHandler {
  const former = createBatchFormer(config, ports);
  const writeBatch = createBatchWriter(config, ports);
  const stage = createStages('table-writer', TABLE_STAGES, ports);
  let done: readonly Chain[] = [];

  async function writeChain(chain: Chain): Promise<readonly CommitOffset[]> {
    if (chain.isNew) await stage('remember', () => ports.pending.store(chain.pending));
    await stage('insert', async () => {
      for (const batch of chain.batches) {
        await ports.breaker.guardSteps(batch.records, () => writeBatch(batch));
      }
    });
    return offsetsOf(chain);
  }

  return {
    async onAssigned(partitions) {
      done = [];
      ports.breaker.onAssigned();
      await ports.erased.begin();
      const names = partitions.map(partitionName);
      former.assign(names, await ports.pending.load(names));
    },

    async onRevoked(partitions) {
      done = [];
      former.revoke(partitions.map(partitionName));
    },

    async onRecords(records) {
      // The consumer has committed what the call before returned; only now may it be forgotten.
      const committed = done;
      await stage('forget-committed', async () => {
        for (const chain of committed) await ports.pending.clear(chain.pending);
      });
      done = [];
      await stage('learn-erasures', () => ports.erased.poll());
      const formed = await stage('form-batches', () => former.form(records));
      const offsets: CommitOffset[] = [];
      for (const chain of formed.chains) offsets.push(...await writeChain(chain));
      formed.accept();
      done = formed.chains;
      return offsets;
    },
  };
}
