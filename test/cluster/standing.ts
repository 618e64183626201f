import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { identify, isAlive, type ProcessIdentity } from '../../infra/local/process-identity.ts';
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
}

/** What the file beside the checkout says of it. */
interface Written {
  readonly first: ProcessIdentity;
  readonly runId: string;
  readonly folder: string;
}

/** Brings a control plane with every definition up; throws when one is up already. */
export async function standUp(file: string, tools: ClusterTools): Promise<Standing> {
  if (read(file) !== undefined) throw new Error('A cluster is up: npm run cluster -- down.');
  const folder = mkdtempSync(join(tmpdir(), 'rastro-run-'));
  const runId = randomUUID();
  const namespaces = await openNamespaces({
    network: 'own', runId, output: join(folder, 'namespaces.log'), stays: true,
  });
  try {
    const first = identify(namespaces.pid);
    if (first === undefined) throw new Error('The namespaces ended at once.');
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify({ first, runId, folder } satisfies Written));
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
  const { first, runId, folder } = written;
  const namespaces = attachNamespaces(first.pid, 'own', runId);
  return { namespaces, folder, plane: attachControlPlane(namespaces, tools.kubernetes, folder) };
}

/** Ends the cluster; gives what is left of it. */
export async function layDown(file: string): Promise<readonly string[]> {
  const written = read(file);
  if (written === undefined) return [];
  await attachNamespaces(written.first.pid, 'own', written.runId).close();
  rmSync(written.folder, { recursive: true, force: true });
  rmSync(file);
  return processesOf(written.runId);
}

/** What is written, as long as that cluster lives. */
function read(file: string): Written | undefined {
  if (!existsSync(file)) return undefined;
  const written = JSON.parse(readFileSync(file, 'utf8')) as Written;
  return isAlive(written.first) ? written : undefined;
}
