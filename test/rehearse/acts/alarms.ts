import { join } from 'node:path';
import { waitFor } from '../../../infra/local/wait.ts';
import { TABLE_WRITER_DEFECT } from '../../faults/kinds/defects.ts';
import type { FaultEnv, Scenario } from '../../faults/scenario.ts';
import { CAUSES, type Cause } from '../alarms/causes.ts';
import { startAlertmanager, type Alertmanager } from '../monitoring/alertmanager.ts';
import { startPrometheus } from '../monitoring/prometheus.ts';
import { targetsOf } from '../monitoring/targets.ts';
import { deed, step } from '../steps.ts';

const ENDS = 3;
const ENDS_MS_MAX = 60_000;
const POLL_MS = 250;

/** Alarms are caused on purpose, one after the other, and a person on call gets each. */
export const alarms: Scenario = {
  name: 'alarms',
  does: 'alarms caused on purpose, each notified by a real Prometheus and Alertmanager; what must '
    + 'last a minute lasts a second here',
  aims: ['I1', 'I2', 'I14'], seconds: 1, callsPerSecond: 20, hasDisputes: true,
  endsAtRecordMax: ENDS,
  ownCluster: { changed: { names: ['workers-1', 'workers-2'], patches: [TABLE_WRITER_DEFECT] } },
  plan: () => [{ atMs: 0, fault: deed('alarms', 'the platform', async (faultEnv) => {
    const alertmanager = await startAlertmanager(join(faultEnv.cluster.dir, 'alertmanager'));
    try {
      const heard = await causeAll(faultEnv, alertmanager);
      const meant = new Set(CAUSES.flatMap(({ rings }) => rings));
      const others = [...heard].filter((name) => !meant.has(name)).toSorted();
      faultEnv.remark(`${meant.size} alarms were caused; beside them rang ${
        others.join(', ') || 'none'}`);
    } finally {
      await alertmanager.close();
    }
  }) }],
};

async function causeAll(
  faultEnv: FaultEnv, alertmanager: Alertmanager,
): Promise<ReadonlySet<string>> {
  const { cluster } = faultEnv;
  const prometheus = await startPrometheus(
    join(cluster.dir, 'prometheus'), targetsOf(cluster), { alertmanager: alertmanager.address },
  );
  try {
    const all = new Set<string>();
    for (const cause of CAUSES) {
      for (const name of await tried(faultEnv, alertmanager, cause)) all.add(name);
    }
    return all;
  } finally {
    await prometheus.close();
  }
}

/** The alarms that rang by it. Red when one of its own does not ring in time, or does not end. */
async function tried(
  faultEnv: FaultEnv, { ringing, heard, forget }: Alertmanager,
  { fault, rings, msMax, ends }: Cause,
): Promise<readonly string[]> {
  const { name, target, begin, end } = fault;
  const missing = (): readonly string[] => rings.filter((each) => !heard().includes(each));
  // What a cause before let ring would prove nothing.
  await untilSilent(ringing, rings);
  forget();
  await step(faultEnv, `${name} (${target}): ${rings.join(', ')}`, async () => {
    await begin(faultEnv);
    try {
      await waitFor(() => missing().length === 0, {
        what: 'An alarm that was caused', deadlineMs: msMax, everyMs: POLL_MS,
      }).catch((error: unknown) => {
        throw new Error(`Not notified of ${missing().join(', ')}, but of ${
          heard().join(', ') || 'none'}.`, { cause: error });
      });
    } finally {
      await end?.(faultEnv);
    }
  });
  if (ends.length > 0) {
    await step(faultEnv, `the end of ${ends.join(', ')}`, () => untilSilent(ringing, ends));
  }
  return heard();
}

async function untilSilent(
  ringing: Alertmanager['ringing'], names: readonly string[],
): Promise<void> {
  await waitFor(() => names.every((each) => !ringing().includes(each)), {
    what: `The end of ${names.join(', ')}`, deadlineMs: ENDS_MS_MAX, everyMs: POLL_MS,
  });
}
