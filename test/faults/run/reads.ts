import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readersIn, type ClusterProcess } from '../cluster/cluster-processes.ts';

/** The topics that each group of consumers must have read. */
export type Reads = ReadonlyMap<string, readonly string[]>;

/** What a release says about its workers, as far as the harness asks. */
interface Catalogue {
  consumerConfigOf(config: object, worker: string): {
    readonly group: string; readonly topics: readonly string[];
  } | undefined;
}

const CATALOGUE = join('services', 'workers', 'assemble-config.ts');

/**
 * What the processes of a cluster read, each by the catalogue of the release that it runs: an
 * earlier one knows fewer topics and leaves the others to the release that comes after it. A
 * process that is away counts too, since the others read for its groups then. Rejects when a
 * release does not name what one of its workers reads.
 */
export async function readsOf(
  processes: Iterable<Pick<ClusterProcess, 'name' | 'release'>>,
): Promise<Reads> {
  const reads = new Map<string, readonly string[]>();
  for (const { name, release } of processes) {
    const { productDir } = release();
    const readers = readersIn(name);
    if (readers.length === 0) continue;
    const catalogue = await catalogueOf(productDir);
    for (const reader of readers) {
      const read = catalogue.consumerConfigOf({}, reader);
      if (read === undefined || read.topics.length === 0) {
        throw new Error(`${productDir} does not name what ${reader} reads.`);
      }
      const known = reads.get(read.group) ?? [];
      reads.set(read.group, [...new Set([...known, ...read.topics])]);
    }
  }
  return reads;
}

async function catalogueOf(productDir: string): Promise<Catalogue> {
  return await import(pathToFileURL(join(productDir, CATALOGUE)).href) as Catalogue;
}
