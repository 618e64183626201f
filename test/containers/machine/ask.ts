import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { childEnvironment } from '../../../infra/local/child.ts';
import type { Namespaces } from './namespaces.ts';

/** Runs a script of ours in namespaces with a question on its standard input; gives its JSON. */
export async function ask<Answer>(
  { words }: Pick<Namespaces, 'words'>, script: string, question: object, deadlineMs: number,
): Promise<Answer> {
  const [program = '', ...args] = words([process.execPath, script]);
  const child = spawn(program, args, {
    env: childEnvironment(), stdio: ['pipe', 'pipe', 'pipe'], timeout: deadlineMs,
  });
  child.stdin.on('error', () => undefined);
  child.stdin.end(JSON.stringify(question));
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const [said, wrong, exitCode] = await Promise.all([
    text(child.stdout), text(child.stderr), ended,
  ]);
  if (exitCode !== 0) {
    throw new Error(`${script} ended with ${exitCode ?? 'a signal'}: ${wrong.slice(-1_500)}`);
  }
  return JSON.parse(said) as Answer;
}
