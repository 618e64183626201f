import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { GateReport } from '../check/gate.ts';
import { logFormFile, readLogForm, type LogForm } from './log-form.ts';
import { breaksOf } from './only-grows.ts';

const LIST = 'infra/released.json';
const MIGRATIONS = 'infra/clickhouse';

/** Each release, oldest first, with its files that never change again and their SHA-256. */
type Released = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Where the log of a release is kept, as it was released. */
function logFileOf(release: string): string {
  return `schemas/released/${release}.json`;
}

/**
 * Writes what a release fixes: the log as it is, and the checksums of that file and of every
 * migration that no earlier release has. Another run for the same release does it again.
 */
export function recordRelease(root: string, release: string): readonly string[] {
  const { [release]: _, ...earlier } = readReleased(root);
  const known = new Set(Object.values(earlier).flatMap((files) => Object.keys(files)));
  const logFile = logFileOf(release);
  mkdirSync(dirname(join(root, logFile)), { recursive: true });
  writeFileSync(join(root, logFile), logFormFile(readLogForm(root)));
  const files = [...migrationsOf(root), logFile].filter((path) => !known.has(path));
  const sums = Object.fromEntries(files.map((path) => [path, sumOf(root, path)]));
  writeFileSync(join(root, LIST), `${JSON.stringify({ ...earlier, [release]: sums }, null, 2)}\n`);
  return [LIST, logFile];
}

/** Holds the tree against all that was released; `seen` counts the files that may not change. */
export function inspectReleased(root: string): GateReport {
  const released = readReleased(root);
  const files = Object.entries(released).flatMap(([release, sums]) => (
    Object.entries(sums).map(([path, sum]) => ({ release, path, sum }))
  ));
  return {
    seen: files.length,
    complaints: [
      ...files.flatMap(({ release, path, sum }) => {
        if (!existsSync(join(root, path))) return [`${path} of ${release} is gone`];
        return sumOf(root, path) === sum ? [] : [`${path} is not what ${release} released`];
      }),
      ...putBetween(root, new Set(files.map(({ path }) => path))),
      ...logBreaks(root, Object.keys(released).at(-1)),
    ],
  };
}

/** Migrations that no release has and whose number is not above those that one has. */
function putBetween(root: string, released: ReadonlySet<string>): readonly string[] {
  const all = migrationsOf(root);
  const newest = all.findLastIndex((path) => released.has(path));
  return all.slice(0, Math.max(newest, 0)).filter((path) => !released.has(path))
    .map((path) => `${path} comes before a migration that is released`);
}

function logBreaks(root: string, release: string | undefined): readonly string[] {
  if (release === undefined) return [];
  const file = join(root, logFileOf(release));
  if (!existsSync(file)) return [];
  const before = JSON.parse(readFileSync(file, 'utf8')) as LogForm;
  return breaksOf(before, readLogForm(root)).map((at) => (
    `${at} breaks the log of ${release}: only optional members and branches may come`
  ));
}

function migrationsOf(root: string): readonly string[] {
  return readdirSync(join(root, MIGRATIONS)).filter((name) => name.endsWith('.sql')).sort()
    .map((name) => `${MIGRATIONS}/${name}`);
}

function readReleased(root: string): Released {
  if (!existsSync(join(root, LIST))) return {};
  return JSON.parse(readFileSync(join(root, LIST), 'utf8')) as Released;
}

function sumOf(root: string, path: string): string {
  return createHash('sha256').update(readFileSync(join(root, path))).digest('hex');
}
