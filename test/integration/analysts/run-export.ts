import { openExport } from '../../../services/cli/export/assemble.ts';
import { exportCommand } from '../../../services/cli/export/command.ts';
import type { Report } from '../../../services/cli/ports.ts';

/** Runs `rastro export` as the analyst of an environment. */
export async function runExport(
  args: readonly string[], env: NodeJS.ProcessEnv,
): Promise<Report> {
  const { ports, close } = openExport(env);
  try {
    return await exportCommand(ports, args);
  } finally {
    await close();
  }
}
