// Backs up the tables, restores or verifies a backup, compares replicas: see `rastro backup`.
import { example, oneOf, wrongValue } from '../adapters/command-line/command-line.ts';
import { progressReport } from '../adapters/command-line/report-progress.ts';
import { runScript } from '../adapters/command-line/run-script.ts';
import { isUnavailable } from '../kernel/unavailable.ts';
import { silentSignals } from '../kernel/signals.ts';
import {
  readBackupConfig, runBackup, runCompareReplicas, runRestore, runVerify, type BackupConfig,
} from './assemble-backup.ts';
import { BackupMissing } from './backup/find-backup.ts';
import { reportBackup, reportRestore, reportVerified, type BackupReport } from './backup/report.ts';
import { reportReplicas } from './backup/report-replicas.ts';

const DEEDS = ['backup', 'restore', 'verify', 'replicas'] as const;
type Deed = (typeof DEEDS)[number];

interface Words {
  readonly full: boolean;
  readonly replace: boolean;
  readonly keep?: number;
  readonly json: boolean;
}

await runScript((command, does) => {
  example(command.name('node services/workers/backup-once.ts')
    .description('Backs up the tables, restores or verifies a backup; see `rastro backup`.')
    .argument('<deed>', DEEDS.join(', '), oneOf(DEEDS))
    .argument('[name]', 'of a backup; by default the newest one')
    .option('--full', 'a backup that needs no other', false)
    .option('--keep <chains>', 'then delete what is older than so many chains', chainsFrom)
    .option('--replace', 'restore also over tables with rows', false)
    .option('--json', 'one JSON value', false)
    .action(does(async (_ports, deed: Deed, name: string | undefined, words: Words) => {
      const report = await run(deed, name, readBackupConfig(process.env), words).catch(withStack);
      const text = words.json ? JSON.stringify(report.value) : report.lines.join('\n');
      process.stdout.write(`${text}\n`);
      return report.exitCode;
    })),
  'node services/workers/backup-once.ts backup', 'Exit codes: 0 done, 1 failed, 2 wrong use, 3 not found.');
});

function chainsFrom(text: string): number {
  return /^[1-9]\d{0,3}$/.test(text) ? Number(text) : wrongValue('It takes a number from 1 on.');
}

/**
 * An outage, and a backup that is not there, are one sentence; anything else is an error of ours
 * and shows where it was made.
 */
function withStack(error: unknown): BackupReport {
  if (error instanceof BackupMissing) {
    return { value: { error: error.message }, lines: [error.message], exitCode: 3 };
  }
  throw isUnavailable(error) || !(error instanceof Error) ? error : new Error(error.stack);
}

async function run(
  deed: Deed, name: string | undefined, config: BackupConfig,
  { full, replace, keep, json }: Words,
): Promise<BackupReport> {
  const progress = progressReport(process.stderr, json);
  switch (deed) {
    case 'backup': {
      const { made, pruned } = await runBackup(config, silentSignals, full, keep);
      return reportBackup(made, pruned);
    }
    case 'restore': {
      return reportRestore(await runRestore(config, silentSignals, progress, name, replace));
    }
    case 'verify': return reportVerified(await runVerify(config, silentSignals, progress, name));
    case 'replicas': return reportReplicas(await runCompareReplicas(config, silentSignals));
  }
}
