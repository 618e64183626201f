import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Gate, GateReport } from '../gate.ts';

const SETTINGS = 'scripts/quality/commits.json';
const SUBJECT = /^[a-z][a-z0-9 ./(),-]*: (\S+)/;
const NOT_IMPERATIVE = /^(?!(need|seed|feed|embed|speed|bring|ring|string|ping|shed|exceed)$).*(ed|ing)$/i;

interface Settings {
  /** The last commit that is exempt, as a whole id. */
  readonly after: string;
  readonly subjectCharactersMax: number;
  /** Later commits that are exempt, by their whole id, each with the reason. */
  readonly exempt: Readonly<Record<string, string>>;
}

/** Subjects of commits since the one in scripts/quality/commits.json, merges too. */
export function commitGate(): Gate {
  return { name: 'commit subjects', unit: 'commits', inspect: async (root) => inspect(root) };
}

function inspect(root: string): GateReport {
  const settings = JSON.parse(readFileSync(join(root, SETTINGS), 'utf8')) as Settings;
  const git = (...args: string[]): string => execFileSync(
    'git', ['-c', `safe.directory=${root}`, ...args],
    { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const { after } = settings;
  if (!isThere(git, after)) return { seen: 0, complaints: [missing(git, after)] };
  const lines = git('log', '--format=%H %s', `${after}..HEAD`).trim().split('\n');
  const commits = lines.filter((line) => line !== '')
    .filter((line) => settings.exempt[line.slice(0, line.indexOf(' '))] === undefined);
  return { seen: commits.length, complaints: commits.flatMap((one) => offencesOf(one, settings)) };
}

function isThere(git: (...args: string[]) => string, commit: string): boolean {
  try {
    git('merge-base', '--is-ancestor', commit, 'HEAD');
    return true;
  } catch {
    return false;
  }
}

function missing(git: (...args: string[]) => string, after: string): string {
  const said = `commit ${after.slice(0, 7)} of ${SETTINGS} is not in the history`;
  const isShallow = (): boolean => git('rev-parse', '--is-shallow-repository').trim() === 'true';
  try {
    return isShallow() ? `${said}: this clone is shallow, run git fetch --unshallow` : said;
  } catch {
    return 'this is no git repository: run the gate in a clone';
  }
}

/** What is wrong with `<id> <subject>`. */
function offencesOf(line: string, { subjectCharactersMax: max }: Settings): readonly string[] {
  const subject = line.slice(line.indexOf(' ') + 1);
  const commit = `${line.slice(0, 7)} ${subject}`;
  const verb = SUBJECT.exec(subject)?.[1];
  return [
    ...(subject.length > max ? [`${commit}: ${subject.length} characters, at most ${max}`] : []),
    ...(verb === undefined ? [`${commit}: write "area: imperative"`] : []),
    ...(verb !== undefined && NOT_IMPERATIVE.test(verb)
      ? [`${commit}: "${verb}" is no imperative`] : []),
  ];
}
