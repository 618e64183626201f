import { join } from 'node:path';
import { readJsonFile } from '../../adapters/config/read-json-file.ts';
import { capacityCommand } from './command.ts';
import type { Report } from '../ports.ts';

/** The report of the bench that is committed with the product; an image does not carry it. */
const BENCH = join(
  import.meta.dirname, '..', '..', '..', 'docs', 'reference', 'performance', 'bench.json',
);

/** Runs `rastro capacity`, which needs no part of the platform. */
export function runCapacity(args: readonly string[]): Report {
  return capacityCommand({ readJson: readJsonFile, defaultPath: BENCH }, args);
}
