import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { identify, isAlive, type ProcessIdentity } from '../../infra/local/process-identity.ts';
import { endAll } from '../containers/machine/groups.ts';
import type { TableUser } from '../containers/inside/tables.ts';
import {
  attachNamespaces, openNamespaces, type Namespaces,
} from '../containers/machine/namespaces.ts';
import { processesOf } from '../containers/machine/traces.ts';
import { attachControlPlane, startControlPlane, type ControlPlane } from './control-plane.ts';
import { applyDefinitions } from './overlays.ts';
import type { ClusterTools } from './stage.ts';

/** A cluster that stays after the command that brought it up. */
export interface Standing {
  readonly namespaces: Namespaces;
  readonly plane: ControlPlane;
  readonly folder: string;
  /** Who reads the tables; absent where the product does not run. */
  readonly analyst?: Required<TableUser> | undefined;
}

/** What the file beside the checkout says of it. */
export interface WrittenCluster {
  /** The first process of its namespaces. */
  readonly first: ProcessIdentity;
  readonly runId: string;
  readonly folder: string;
  /** Where the control plane has its files. */
  readonly planeFolder: string;
  readonly analyst?: Required<TableUser>;
}

/** Brings a control plane with every definition up; throws when one is up already. */
export async function standUp(file: string, tools: ClusterTools): Promise<Standing> {
  requireDown(file);
  const folder = mkdtempSync(join(tmpdir(), 'rastro-run-'));
  const runId = randomUUID();
  const namespaces = await openNamespaces({
    network: 'own', runId, output: join(folder, 'namespaces.log'), stays: true,
  });
  try {
    writeCluster(file, namespaces, { runId, folder, planeFolder: folder });
    const plane = await startControlPlane(namespaces, tools.kubernetes, folder);
    await applyDefinitions(plane, tools.definitions);
    return { namespaces, plane, folder };
  } catch (error) {
    await layDown(file);
    throw error;
  }
}

/** The cluster that is up; throws when none is. */
export function standing(file: string, tools: Pick<ClusterTools, 'kubernetes'>): Standing {
  const written = read(file);
  if (written === undefined) throw new Error('No cluster is up: npm run cluster -- up.');
  const { first, runId, folder, planeFolder, analyst } = written;
  const namespaces = attachNamespaces(first.pid, 'own', runId);
  const plane = attachControlPlane(namespaces, tools.kubernetes, planeFolder);
  return { namespaces, folder, plane, analyst };
}

/** Throws when a cluster is up. */
export function requireDown(file: string): void {
  if (read(file) !== undefined) throw new Error('A cluster is up: npm run cluster -- down.');
}

/** Writes down what stays, so that other commands find it and can end it. */
export function writeCluster(
  file: string, { pid }: Namespaces, cluster: Omit<WrittenCluster, 'first'>,
): void {
  const first = identify(pid);
  if (first === undefined) throw new Error('The namespaces ended at once.');
  mkdirSync(dirname(file), { recursive: true });
  const written: WrittenCluster = { first, ...cluster };
  writeFileSync(file, JSON.stringify(written), { mode: 0o600 });
}

/** Ends the cluster; gives what is left of it. */
export async function layDown(file: string): Promise<readonly string[]> {
  const written = read(file);
  if (written === undefined) return [];
  const { runId } = written;
  const namespaces = attachNamespaces(written.first.pid, 'own', runId);
  await endAll(namespaces, runId);
  await namespaces.close();
  rmSync(written.folder, { recursive: true, force: true });
  rmSync(file);
  return processesOf(runId);
}

/** What is written, as long as that cluster lives. */
function read(file: string): WrittenCluster | undefined {
  if (!existsSync(file)) return undefined;
  const written = JSON.parse(readFileSync(file, 'utf8')) as WrittenCluster;
  return isAlive(written.first) ? written : undefined;
}
