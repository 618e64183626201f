import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TOPICS } from '../../../schemas/generated/catalog.ts';
import type { TestCluster } from '../cluster/cluster.ts';
import type { Patch } from '../cluster/copy-product.ts';
import { RUN_FILES } from '../run-files.ts';
import type { Fault } from '../scenario.ts';

/** The third record of a partition comes soon, and there are good ones before it and after it. */
const RECORD = { partition: 0, offset: 2 };

/** A defect of the table writer: it throws at one record of locations, and at no other. */
export const TABLE_WRITER_DEFECT: Patch = {
  file: 'services/workers/table-writer/write-batch.ts',
  find: `ofRecord(record, () => spliceMetadata(record)) : undefined;`,
  replace: `ofRecord(record, () => {
        const isMarked = record.topic === '${TOPICS.locations.name}'
          && record.partition === ${RECORD.partition} && Number(record.offset) === ${RECORD.offset};
        if (isMarked) throw new TypeError('a field that is not there');
        return spliceMetadata(record);
      }) : undefined;`,
};

/** The defect is in the code; it strikes when processes ended at its record so often. */
export function defectStrikes(times: number): Fault {
  return {
    name: 'a defect at one record', target: 'workers', begin: () => undefined,
    hasStruck: ({ cluster }) => endsAtRecords(cluster) >= times,
  };
}

function endsAtRecords({ processes }: TestCluster): number {
  return [...processes.values()]
    .reduce((sum, { dir }) => sum + textOf(join(dir, RUN_FILES.ends)).split('a defect at ').length - 1, 0);
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return ''; // No process of this directory has ended of its own accord.
  }
}
