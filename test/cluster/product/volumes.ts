import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { FIRST_NODE } from '../network.ts';

/** Claims of the product, and what may write there. */
const CLAIMS = {
  'rastro-images': 'ReadWriteMany',
  'data-rastro-brokers-0': 'ReadWriteOnce',
  'data-redis-0': 'ReadWriteOnce',
  'data-registry-0': 'ReadWriteOnce',
  'data-clickhouse-0': 'ReadWriteOnce',
} as const;

/** Of no importance: a folder has the size of its disk. */
const SIZE = '1Ti';

/** On the node that the small disks are mounted on; what is shared may be anywhere. */
const ON_FIRST_NODE = {
  required: { nodeSelectorTerms: [{ matchExpressions: [
    { key: 'kubernetes.io/hostname', operator: 'In', values: [FIRST_NODE.name] },
  ] }] },
} as const;

/** A volume for each claim, as no one makes them here: a folder of the run. */
export function volumesIn(folder: string): readonly object[] {
  return Object.entries(CLAIMS).map(([name, accessMode]) => {
    const path = join(folder, name);
    mkdirSync(path, { recursive: true });
    // A folder of the machine is given to no group (`fsGroup`).
    chmodSync(path, 0o777);
    return {
      apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name },
      spec: {
        capacity: { storage: SIZE }, accessModes: [accessMode],
        persistentVolumeReclaimPolicy: 'Retain',
        claimRef: { namespace: 'rastro', name }, hostPath: { path },
        ...(accessMode === 'ReadWriteOnce' ? { nodeAffinity: ON_FIRST_NODE } : {}),
      },
    };
  });
}
