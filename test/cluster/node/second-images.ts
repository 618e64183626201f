import { copyFileSync, existsSync, globSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../../../infra/local/command.ts';

const LINK_MS_MAX = 300_000;
/** What a runtime changes in place; all else it only adds and takes away. */
const CHANGED = [
  'imported.json', 'io.containerd.metadata.v1.bolt/meta.db',
  'io.containerd.snapshotter.v1.*/metadata.db',
];

/** The folder where a second node has its images, beside that of the first. */
export function secondImages(images: string): string {
  return `${images}-second`;
}

/**
 * Gives a second node the images of the first, by links to the same files. No runtime may run on
 * them meanwhile.
 */
export async function linkImages(images: string): Promise<void> {
  const second = secondImages(images);
  rmSync(second, { recursive: true, force: true });
  if (!existsSync(images)) return;
  await run('cp', ['--archive', '--link', images, second], { deadlineMs: LINK_MS_MAX });
  for (const path of globSync(CHANGED, { cwd: images })) {
    rmSync(join(second, path));
    copyFileSync(join(images, path), join(second, path));
  }
}
