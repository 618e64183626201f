import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ClusterOptions } from '../../faults/cluster/cluster-options.ts';
import type { CheckReport } from '../../faults/checker/report.ts';
import { lossesOf } from '../../faults/run/table.ts';
import type { Offender } from '../offender.ts';
import { openHostileCluster, type HostileCluster } from './hostile-cluster.ts';
import { assess, mayBeChance, type Observed, type CallFigures } from './assess.ts';
import { startOffending } from './offence.ts';

/** The result of one offender. */
export interface OffenceRow {
  readonly name: string;
  readonly does: string;
  readonly heldBy: string;
  readonly observed: Observed;
  readonly troubles: readonly string[];
  /** It was let in twice, since honest calls only waited; this is the second time. */
  readonly isSecond: boolean;
  /** The p99 of honest calls at the first time, where this is the second. */
  readonly firstP99Ms?: number;
}

/** The results of all of them. */
export interface HostileResult {
  readonly rows: readonly OffenceRow[];
  readonly losses: string;
  /** What the checker found about honest callers, in sentences. */
  readonly violations: readonly string[];
}

/** How offenders are run. */
export interface HostileOptions {
  readonly seed: number;
  /** Calls of the honest, in percent of the usual ones. */
  readonly pace: number;
  readonly keeps: boolean;
  /** A changed copy of the product that every process runs. */
  readonly changed?: ClusterOptions['changed'];
  readonly leaving: AbortSignal;
  readonly print: (line: string) => void;
  readonly onRow: (row: OffenceRow) => void;
}

const WARM_UP_MS = 10_000;
const CALM_MS = 6_000;
const OFFENCE_MS = 10_000;
const AFTERMATH_MS = 3_000;
/** How often an offender is let in whose harm may be chance. */
const TRIES_MAX = 3;
const VIOLATIONS_SHOWN_MAX = 10;

/** Lets offenders into one cluster, one after the other, and checks the honest at the end. */
export async function runHostile(
  offenders: readonly Offender[], options: HostileOptions,
): Promise<HostileResult> {
  const { print } = options;
  const dir = mkdtempSync(join(tmpdir(), 'rastro-hostile-'));
  const rows: OffenceRow[] = [];
  let isGood = false;
  let cluster: HostileCluster | undefined;
  try {
    cluster = await openHostileCluster(dir, options);
    print(`cluster ${dir} stands, honest callers work`);
    await delay(WARM_UP_MS);
    let calm = await calmIn(cluster);
    for (const offender of offenders) {
      if (options.leaving.aborted) break;
      let row = await letIn(cluster, offender, calm);
      options.onRow(row);
      for (let tries = 1; tries < TRIES_MAX && mayBeChance(row.observed); tries += 1) {
        if (options.leaving.aborted) break;
        row = againAfter(row, await letIn(cluster, offender, await calmIn(cluster)));
        options.onRow(row);
      }
      rows.push(row);
      calm = row.observed.calm.at(-1) ?? calm;
    }
    const { losses, violations } = await checked(cluster);
    isGood = violations.length === 0 && rows.every(({ troubles }) => troubles.length === 0);
    return { rows, losses, violations };
  } finally {
    await cluster?.close();
    if (isGood || !options.keeps) rmSync(dir, { recursive: true, force: true });
  }
}

/** What the checker found; that it could not check is a finding too. */
async function checked(cluster: HostileCluster): Promise<Pick<HostileResult, 'losses' | 'violations'>> {
  try {
    const { report, disputed } = await cluster.check();
    const disputes = disputed === 0 ? []
      : [`${disputed} notifications of the honest carrier were kept apart, as of another one.`];
    return { losses: lossesOf(report), violations: [...disputes, ...violationsOf(report)] };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { losses: 'not checked', violations: [`The honest could not be checked: ${reason}`] };
  }
}

async function calmIn(cluster: HostileCluster): Promise<CallFigures> {
  const span = cluster.watch.begin();
  await delay(CALM_MS);
  return span.end().seen;
}

async function letIn(
  cluster: HostileCluster, offender: Offender, before: CallFigures,
): Promise<OffenceRow> {
  const { name, does, heldBy, party = 'polite' } = offender;
  if (offender.hasPoisonedSecret === true) await cluster.sealSecret(true);
  cluster.party.behave(party);
  cluster.analyst.seen();
  cluster.viewer.seen();
  cluster.webhook.seen();
  const span = cluster.watch.begin();
  const offending = startOffending({ ...cluster.offenderEnv, name });
  await offending.begun;
  await delay(OFFENCE_MS);
  const { seen: during } = span.end();
  const answers = await offending.stop();
  const answerMiBTaken = cluster.party.takenMiBMax();
  cluster.party.behave('polite');
  if (offender.hasPoisonedSecret === true) await cluster.sealSecret(false);
  await delay(AFTERMATH_MS);
  // Endings count until now: what an offender left behind may end a process later.
  const { processes } = span.end();
  const [analyst, viewer, webhook] = [
    cluster.analyst.seen(), cluster.viewer.seen(), cluster.webhook.seen(),
  ];
  const after = await calmIn(cluster);
  const observed: Observed = {
    calm: [before, after], during, processes, analyst, viewer, webhook, answers, answerMiBTaken,
    isAnalyst: offender.isAnalyst === true, hasOnly500: offender.hasOnly500 === true,
    ...(offender.mustGet === undefined ? {} : { mustGet: offender.mustGet }),
  };
  return { name, does, heldBy, observed, troubles: assess(observed), isSecond: false };
}

/** A further time of an offender, beside the calm spans of all. */
export function againAfter(first: OffenceRow, second: OffenceRow): OffenceRow {
  const calm = [...first.observed.calm, ...second.observed.calm];
  const observed = { ...second.observed, calm };
  return {
    ...second, observed, troubles: assess(observed), isSecond: true,
    firstP99Ms: first.firstP99Ms ?? first.observed.during.p99Ms,
  };
}

/** Faults that honest callers were answered are counted for each offender, so not here. */
function violationsOf({ verdicts }: CheckReport): readonly string[] {
  return verdicts.flatMap(({ violations }) => violations)
    .filter(({ kind }) => kind !== 'forbidden-code')
    .slice(0, VIOLATIONS_SHOWN_MAX)
    .map(({ invariant, kind, explanation }) => `${invariant} ${kind}: ${explanation}`);
}
