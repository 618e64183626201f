/** `npm run release`: writes a version everywhere, dates the changelog, fixes what is released. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { example } from '../services/adapters/command-line/command-line.ts';
import { runScript } from '../services/adapters/command-line/run-script.ts';
import { releasesOf, withRelease } from './release/changelog.ts';
import { recordRelease } from './release/released-files.ts';
import { writeVersion } from './release/version-mentions.ts';

const root = join(import.meta.dirname, '..');
const CHANGELOG = 'CHANGELOG.md';

await runScript((command, does) => {
  example(command.name('npm run release --')
    .description('Makes the tree a release: its version everywhere, its day in the changelog, and'
      + ' the checksums of what may never change again. It can be repeated until the tag is there.')
    .argument('<version>', 'such as 0.2.0')
    .option('--day <day>', 'its day as YYYY-MM-DD; the one of before, or today (UTC)')
    .action(does((_ports, version: string, { day }: { readonly day?: string }) => (
      release(version, day)
    ))),
  'npm run release -- 0.2.0', 'Exit codes: 0 done, 1 refused, as the tag is there, 2 wrong use.');
});

function release(version: string, day: string | undefined): number {
  if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error(`${version} is no version such as 0.2.0.`);
  if (day !== undefined && !/^\d{4}-\d{2}-\d{2}$/.test(day)) throw new Error(`${day} is no day.`);
  if (git('tag', '--list', `v${version}`) !== '') {
    throw new Error(`The tag v${version} is there: what it names never changes.`);
  }
  const written = [...writeVersion(root, version), dateChangelog(version, day)];
  written.push(...recordRelease(root, version));
  process.stdout.write(`${written.join('\n')}\nNext: node scripts/generate.ts\n`);
  return 0;
}

function dateChangelog(version: string, day: string | undefined): string {
  const path = join(root, CHANGELOG);
  const text = readFileSync(path, 'utf8');
  const known = releasesOf(text).find((each) => each.version === version)?.day;
  const today = new Date().toISOString().slice(0, 'YYYY-MM-DD'.length);
  writeFileSync(path, withRelease(text, version, day ?? known ?? today));
  return CHANGELOG;
}

function git(...words: readonly string[]): string {
  return execFileSync('git', ['-c', `safe.directory=${root}`, ...words], {
    cwd: root, encoding: 'utf8',
  }).trim();
}
