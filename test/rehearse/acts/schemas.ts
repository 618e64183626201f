import { join, resolve } from 'node:path';
import { TOPICS } from '../../../schemas/generated/catalog.ts';
import { isDecoded } from '../../../services/kernel/record-log.ts';
import type { TestCluster } from '../../faults/cluster/cluster.ts';
import type { ProcessName } from '../../faults/cluster/cluster-processes.ts';
import { copyProduct, type Patch } from '../../faults/cluster/copy-product.ts';
import type { FaultEnv, Scenario } from '../../faults/scenario.ts';
import { deed, restartAs, step, underLoad } from '../steps.ts';

const ROOT_DIR = resolve(import.meta.dirname, '..', '..', '..');
/** Both releases work beside each other for so long after each process. */
const BESIDE_MS = 6_000;
const FIELD = 'firmware';

/** A release whose registrations of devices have one optional field more, and write it. */
const NEWER: readonly Patch[] = [
  {
    file: 'schemas/records/device-registered.json',
    find: '    "generation": {',
    replace: `    "${FIELD}": { "type": "string", "description": "Its software.", "examples": ["2.1"] },`
      + '\n    "generation": {',
  },
  {
    file: 'services/domain/device/device.ts',
    find: 'type: \'DeviceRegistered\', epoch: 1, ...rest,',
    replace: `type: 'DeviceRegistered', epoch: 1, ${FIELD}: '2.1', ...rest,`,
  },
];

/** A writer before its readers, which the usual order forbids, and readers beside older writers. */
const ORDER: readonly ProcessName[] = [
  'gateway-1', 'workers-1', 'workers-2', 'parties', 'gateway-2',
];

/** From this tree to one whose schema has a field more, in an order that nothing prescribes. */
export const schemas: Scenario = {
  name: 'schemas',
  does: 'from this tree to one whose records have a new optional field, a gateway first',
  aims: ['I1', 'I2', 'I3', 'I9', 'I14', 'I17'], seconds: 1, isBalanced: true, ownCluster: {},
  plan: () => [{ atMs: BESIDE_MS, fault: deed('schemas', 'every process', async (faultEnv) => {
    const { cluster } = faultEnv;
    const newer = join(cluster.dir, 'newer');
    copyProduct(ROOT_DIR, newer, NEWER);
    for (const name of ORDER) {
      await step(faultEnv, `${name} runs the newer schema`, () =>
        restartAs(cluster, name, { productDir: newer }));
      await underLoad(BESIDE_MS);
    }
    await reportRegistrations(faultEnv);
  }) }],
};

/** Throws unless both releases registered devices, and when one became a dead letter. */
async function reportRegistrations({ cluster, remark }: FaultEnv): Promise<void> {
  const written = await registrationsBySchema(cluster);
  const [older, newer] = [false, true].map((hasField) => (
    [...written.values()].filter((each) => each.hasField === hasField)
  ));
  const sumOf = (list: typeof older = []): number => list.reduce((sum, { n }) => sum + n, 0);
  if (older?.length !== 1 || newer?.length !== 1) {
    throw new Error(`Registrations by schema: ${JSON.stringify([...written])}.`);
  }
  const dead = (await cluster.kafka.admin.ranges([TOPICS.deadLetters.name]))
    .reduce((sum, { start, end }) => sum + end - start, 0n);
  if (dead > 0n) throw new Error(`${dead} records became dead letters.`);
  remark(`registrations: ${sumOf(older)} by the older schema, ${sumOf(newer)} by the newer one;`
    + ' no dead letter');
}

async function registrationsBySchema(
  { kafka }: TestCluster,
): Promise<ReadonlyMap<number, { readonly hasField: boolean; readonly n: number }>> {
  const found = new Map<number, { readonly hasField: boolean; readonly n: number }>();
  await kafka.reader.readToEnd([TOPICS.deviceLifecycle.name], async (records) => {
    for (const { value, schemaId } of records.filter(isDecoded)) {
      const fact = JSON.parse(value.toString()) as Readonly<Record<string, unknown>>;
      if (fact['type'] !== 'DeviceRegistered') continue;
      found.set(schemaId, { hasField: FIELD in fact, n: (found.get(schemaId)?.n ?? 0) + 1 });
    }
  });
  return found;
}
