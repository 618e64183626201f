import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Client, ClientFolder } from './clients.ts';

/** The result of one client: its last line, or the step that failed and what was said there. */
export type ClientVerdict =
  | { readonly passed: true; readonly said: string; readonly seconds: number }
  | {
    readonly passed: false; readonly step: string; readonly said: string; readonly seconds: number;
  };

/** Makes, compiles and runs one client in a folder of its own, step by step, up to what fails. */
export async function examine<Tools>(
  client: Client<Tools>, workDir: string, site: Omit<ClientFolder<Tools>, 'dir'>,
  env: Readonly<Record<string, string>>,
): Promise<ClientVerdict> {
  const dir = join(workDir, client.name);
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(dir, { recursive: true });
  const beganMs = performance.now();
  const seconds = (): number => (performance.now() - beganMs) / 1_000;
  const here = { ...site, dir };
  let said = '';
  const steps = {
    generate: () => client.generate(here),
    compile: () => client.compile(here),
    story: async () => { said = (await client.use(here, env)).trim(); },
  };
  for (const [step, take] of Object.entries(steps)) {
    try {
      await take();
    } catch (error) {
      return { passed: false, step, said: (error as Error).message, seconds: seconds() };
    }
  }
  return { passed: true, said, seconds: seconds() };
}

/** One line of a verdict, and below it what a failed step said. */
export function described({ generator }: Pick<Client, 'generator'>, verdict: ClientVerdict): string {
  const seconds = `${verdict.seconds.toFixed(1)} s`;
  return verdict.passed
    ? `ok   ${generator}: generated, compiled, ${verdict.said} (${seconds})`
    : `FAIL ${generator}: at ${verdict.step} (${seconds})\n${verdict.said.replaceAll(/^/gm, '     ')}`;
}
