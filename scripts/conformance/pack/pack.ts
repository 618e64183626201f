import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { run } from '../../../infra/local/command.ts';
import { stagePackage } from './stage-package.ts';

/** The archive of the package, and how large it is with all that it needs. */
export interface Packed {
  readonly file: string;
  readonly packedBytes: number;
  readonly unpackedBytes: number;
}

const PACK_MS_MAX = 120_000;

/** Makes the archive of the kit in `folder`. The same sources give the same archive. */
export async function packKit(root: string, folder: string): Promise<Packed> {
  mkdirSync(folder, { recursive: true });
  const stage = mkdtempSync(join(tmpdir(), 'rastro-conformance-'));
  try {
    stagePackage(root, stage);
    const answer = await run(
      'npm', ['pack', '--json', '--loglevel=error', '--pack-destination', resolve(folder)],
      { cwd: stage, deadlineMs: PACK_MS_MAX },
    );
    const file = join(folder, filenameIn(answer));
    return { file, packedBytes: statSync(file).size, unpackedBytes: bytesBelow(stage) };
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

/** Makes the archive and says where it is and how large; gives the exit code. */
export async function packAndSay(
  root: string, folder: string, print: (text: string) => void,
): Promise<number> {
  const { file, packedBytes, unpackedBytes } = await packKit(root, folder);
  const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(2)} MB`;
  print(`${file}: ${megabytes(packedBytes)}, unpacked ${megabytes(unpackedBytes)}\n`);
  return 0;
}

/** npm 10 answers with a list, npm 11 may answer with an object by name. */
function filenameIn(answer: string): string {
  const found = /"filename":\s*"([^"]+\.tgz)"/.exec(answer)?.[1];
  if (found === undefined) throw new Error(`npm pack named no archive: ${answer.slice(0, 200)}`);
  return found;
}

function bytesBelow(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}
