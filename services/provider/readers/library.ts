import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { readBarefoot } from './barefoot.ts';
import { readCapmetrics } from './capmetrics.ts';
import { readEnvirocar } from './envirocar.ts';
import { readRskTwizy } from './rsk-twizy.ts';
import type { Track, TrackReader } from './track.ts';

/** A file of the repository, by its path under `tracks/`, with the reader of its form. */
export interface LibraryFile {
  readonly path: string;
  readonly read: TrackReader;
}

/** The files that are replayed. A further file is one further row; one small file is not packed. */
export const LIBRARY: readonly LibraryFile[] = [
  { path: 'rsk-twizy/T1_03_29_2021.csv.gz', read: readRskTwizy },
  { path: 'rsk-twizy/T2_03_30_2021.csv.gz', read: readRskTwizy },
  { path: 'rsk-twizy/T3_05_25_2021_04.csv.gz', read: readRskTwizy },
  { path: 'envirocar/track_1.json.gz', read: readEnvirocar },
  { path: 'barefoot-munich/x0001-001.json.gz', read: readBarefoot },
  { path: 'barefoot-munich/x0001-015.json', read: readBarefoot },
  { path: 'capmetrics/2015-03-07.csv.gz', read: readCapmetrics },
  { path: 'capmetrics/2015-03-18.csv.gz', read: readCapmetrics },
  { path: 'capmetrics/2017-03-16.csv.gz', read: readCapmetrics },
];

/** Reads one file of the library into its tracks. */
export async function readTracks(file: LibraryFile): Promise<Track[]> {
  const bytes = await readFile(new URL(`../tracks/${file.path}`, import.meta.url));
  const text = (file.path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  return file.read(text, file.path.slice(file.path.lastIndexOf('/') + 1).replace(/\.gz$/, ''));
}

/**
 * Reads the tracks of the named sources (all when none is named) and deals them source by source,
 * so that the first few devices already show every kind of data.
 */
export async function readLibrary(sources: readonly string[]): Promise<Track[]> {
  const bySource = new Map<string, Track[]>();
  for (const file of LIBRARY) {
    const source = file.path.slice(0, file.path.indexOf('/'));
    if (sources.length > 0 && !sources.includes(source)) continue;
    const tracks = bySource.get(source) ?? [];
    for (const track of await readTracks(file)) if (track.fixes.length > 0) tracks.push(track);
    bySource.set(source, tracks);
  }
  return deal([...bySource.values()]);
}

function deal(piles: readonly (readonly Track[])[]): Track[] {
  const dealt: Track[] = [];
  const roundsMax = Math.max(0, ...piles.map((pile) => pile.length));
  for (let round = 0; round < roundsMax; round += 1) {
    for (const pile of piles) {
      const track = pile[round];
      if (track !== undefined) dealt.push(track);
    }
  }
  return dealt;
}
