import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * Runs another program of this product with the same Node, and shares input, output and environment
 * with it. Answers its exit code; 1 when a signal ended it.
 */
export async function runProgram(program: string, args: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, [program, ...args], { stdio: 'inherit' });
  const [code] = await once(child, 'exit') as [number | null];
  return code ?? 1;
}
