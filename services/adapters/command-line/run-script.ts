import { parseCommandLine, type Define } from './command-line.ts';

/** A program that is started by hand; what its work gives is the exit code. */
export type Script = Define<undefined, number>;

/** How a script ends where its work fails. */
export interface ScriptEnd {
  /** Exit code of an error (default 1). */
  readonly errorCode?: number;
}

/**
 * Runs a script and sets the exit code: help with 0, wrong words with 2 and the help, an error with
 * one line and its code. Then the process ends, whatever connections are still open.
 */
export async function runScript(script: Script, { errorCode = 1 }: ScriptEnd = {}): Promise<never> {
  const parsed = parseCommandLine(script, process.argv.slice(2));
  if (parsed.kind === 'help') {
    process.stdout.write(`${parsed.help}\n`);
  } else if (parsed.kind === 'misuse') {
    process.stderr.write(`${parsed.sentence}\n\n${parsed.help}\n`);
    process.exitCode = 2;
  } else {
    try {
      process.exitCode = await parsed.work(undefined);
    } catch (error) {
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
      process.exitCode = errorCode;
    }
  }
  process.exit();
}
