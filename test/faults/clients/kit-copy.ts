import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { patched, type Patch } from '../cluster/copy-product.ts';
import type { KitCommand } from './kit-process.ts';

/** Which of the kits. */
export type KitName = 'typescript' | 'python';

export const KIT_NAMES: readonly KitName[] = ['typescript', 'python'];

const ROOT_DIR = resolve(import.meta.dirname, '..', '..', '..');

/** Copies the kits into a folder that is not there yet, and changes the copy. */
export function copyKits(target: string, patches: readonly Patch[]): void {
  cpSync(join(ROOT_DIR, 'services', 'clients'), target, { recursive: true });
  for (const patch of patches) {
    const file = join(target, patch.file);
    writeFileSync(file, patched(readFileSync(file, 'utf8'), patch));
  }
}

/** The program of a device that uses a kit of a copy, with its spool. */
export function kitCommand(
  kit: KitName, copy: string, spool: string, env: Readonly<Record<string, string>>,
): KitCommand {
  const here = import.meta.dirname;
  return kit === 'typescript'
    ? {
      program: process.execPath, args: [join(here, 'device-main.ts')],
      env: { ...env, SPOOL: spool, KIT: join(copy, 'typescript', 'src', 'index.ts') },
    }
    : {
      program: 'python3', args: [join(here, 'device.py')],
      env: {
        ...env, SPOOL: spool, PYTHONPATH: join(copy, 'python', 'src'), PYTHONDONTWRITEBYTECODE: '1',
      },
    };
}
