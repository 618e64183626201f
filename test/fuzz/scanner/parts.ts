import { readFileSync } from 'node:fs';
import { bundleOf } from '../../../schemas/bundles.ts';
import { createScanner } from '../../../services/adapters/scanner/create-scanner.ts';
import { LIBRARY, readTracks } from '../../../services/provider/readers/library.ts';
import { openExactWay } from '../../support/exact-way.ts';
import type { FuzzParts } from './run-chunk.ts';

/** The binary as it is committed. */
export const SCANNER_FILE = new URL(
  '../../../services/adapters/scanner/scanner.wasm', import.meta.url,
);

const REPORTED = { text: 'device_id', list: 'locations' };
const FIXES_PER_FILE_MAX = 500;

/** Recordings of three origins; the others take long to read and bring nothing new. */
const RECORDINGS = [
  'rsk-twizy/T1_03_29_2021.csv.gz', 'envirocar/track_1.json.gz',
  'barefoot-munich/x0001-001.json.gz',
];

/** Opens both ways, and reads recorded fixes. */
export async function openParts(): Promise<FuzzParts & { readonly binary: Uint8Array }> {
  const binary = readFileSync(SCANNER_FILE);
  const fixes = await Promise.all(LIBRARY
    .filter(({ path }) => RECORDINGS.includes(path))
    .map(async (file) => {
      const tracks = await readTracks(file);
      return tracks.flatMap((track) => track.fixes).slice(0, FIXES_PER_FILE_MAX);
    }));
  return {
    binary,
    scan: createScanner(binary, bundleOf('LocationsBody'), REPORTED),
    exact: openExactWay(),
    fixes: fixes.flat(),
  };
}
