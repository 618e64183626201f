/**
 * Runs a script to its end. What `main` gives is the exit code; an error becomes one line and
 * `errorCode`. Then the process ends, whatever connections are still open.
 */
export async function runMain(main: () => Promise<number>, errorCode = 1): Promise<never> {
  try {
    process.exitCode = await main();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = errorCode;
  }
  process.exit();
}
