import { join } from 'node:path';
import { readJsonFile } from '../../adapters/config/read-json-file.ts';
import type { CapacityPorts } from './command.ts';

/** The report of the bench that is committed with the product; an image does not carry it. */
const BENCH = join(
  import.meta.dirname, '..', '..', '..', 'docs', 'reference', 'performance', 'bench.json',
);

/** What `rastro capacity` reads: files of this machine, and no part of the platform. */
export const CAPACITY_PORTS: CapacityPorts = { readJson: readJsonFile, defaultPath: BENCH };
