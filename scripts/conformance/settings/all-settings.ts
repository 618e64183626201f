import {
  OVERLAYS, renderedCompose, renderedOverlay, type RenderedProcess,
} from '../../../infra/check/rendered.ts';
import { requireKustomize } from '../../../infra/check/tools.ts';
import { cacheDir } from '../../../infra/local/processes/start-platform.ts';
import { ROOT_DIR } from '../../../infra/local/processes/process.ts';
import { runSettings, type SettingsRun } from './run-settings.ts';

/** The settings that we ship, by name; `all` is every one of them. */
export const SETTINGS = ['compose', ...OVERLAYS, 'all'] as const;

/** One of these names. */
export type SettingsName = (typeof SETTINGS)[number];

/** Renders and runs the named settings, one after the other; gives the exit code. */
export async function runAllSettings(
  wanted: SettingsName, run: Omit<SettingsRun, 'name' | 'processes'>, leaving: AbortSignal,
): Promise<number> {
  const names = wanted === 'all' ? SETTINGS.filter((name) => name !== 'all') : [wanted];
  const lines: string[] = [];
  let isGood = true;
  for (const name of names) {
    const processes = await rendered(name, run);
    const isFine = await runSettings({ ...run, name, processes }, leaving);
    lines.push(`${name.padEnd(8)} ${isFine ? 'serves the interface' : 'FAILED'}`);
    isGood &&= isFine;
  }
  run.print(`\n${lines.join('\n')}\n`);
  return leaving.aborted ? 130 : isGood ? 0 : 1;
}

async function rendered(
  name: SettingsName, { print }: Pick<SettingsRun, 'print'>,
): Promise<readonly RenderedProcess[]> {
  if (name === 'compose') return renderedCompose(ROOT_DIR);
  const kustomize = await requireKustomize(cacheDir(), (line) => { print(`${line}\n`); });
  return renderedOverlay(ROOT_DIR, name, kustomize);
}
