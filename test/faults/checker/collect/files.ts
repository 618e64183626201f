import { createReadStream, existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { OwnEnd, Sighting } from '../evidence.ts';
import { RUN_FILES, type ProcessEnd, type RunRecord } from '../../run-files.ts';

/** The record of a run. */
export function readRunRecord(directory: string): RunRecord {
  return JSON.parse(readFileSync(join(directory, RUN_FILES.record), 'utf8')) as RunRecord;
}

/** The lines of a JSONL file; none when a run left no such file. */
export async function readLines<T>(directory: string, name: string): Promise<readonly T[]> {
  const path = join(directory, name);
  if (!existsSync(path)) return [];
  const lines: T[] = [];
  for await (const line of createInterface({ input: createReadStream(path, 'utf8') })) {
    if (line !== '') lines.push(JSON.parse(line) as T);
  }
  return lines;
}

/** The ends that processes made, by process. */
export async function readEnds(directory: string, run: RunRecord): Promise<readonly OwnEnd[]> {
  const ends: OwnEnd[] = [];
  for (const { name } of run.processes) {
    const own = await readLines<ProcessEnd>(join(directory, name), RUN_FILES.ends);
    ends.push(...own.map((end) => ({ ...end, process: name })));
  }
  return ends;
}

/** Searches what the processes wrote, and their metrics, for the canaries of the run. */
export async function findCanaries(
  directory: string, run: RunRecord,
): Promise<readonly Sighting[]> {
  const metrics = join(directory, RUN_FILES.metrics);
  const files = [
    ...run.processes.map(({ name }) => join(name, 'output.log')),
    ...existsSync(metrics) ? readdirSync(metrics).map((name) => join(RUN_FILES.metrics, name)) : [],
  ].filter((name) => existsSync(join(directory, name)));
  const sightings: Sighting[] = [];
  for (const name of files) sightings.push(...await findIn(directory, name, run.canaries));
  return sightings;
}

/** The first line of a file for each canary. */
async function findIn(
  directory: string, name: string, canaries: readonly string[],
): Promise<readonly Sighting[]> {
  const found = new Map<number, Sighting>();
  let number = 0;
  for await (const line of createInterface({ input: createReadStream(join(directory, name)) })) {
    number += 1;
    for (const [canary, text] of canaries.entries()) {
      if (found.has(canary) || !line.includes(text)) continue;
      found.set(canary, { source: `${name}, line ${number}`, canary });
    }
  }
  return [...found.values()];
}
