/** How one request of a run ended. */
interface BrunoResult {
  readonly path: string;
  /** Of the request itself; a failed assertion is no error. */
  readonly status: 'pass' | 'error' | 'skipped';
  readonly error: string | null;
  readonly response: { readonly status: number | null; readonly data?: unknown };
  readonly assertionResults: readonly BrunoAssertion[];
}

interface BrunoAssertion {
  readonly lhsExpr: string;
  readonly rhsExpr: string;
  readonly status: 'pass' | 'fail';
  readonly error?: string;
}

const SAID_MAX = 300;

/**
 * Prints each request of a report of Bruno's with its faults, and gives the counts. Throws them if
 * one failed or none ran. `files` is how many requests the collection has.
 */
export function countOf(report: unknown, files: number, print: (line: string) => void): string {
  const [iteration] = report as readonly [{ readonly results: readonly BrunoResult[] }?];
  const results = iteration?.results ?? [];
  const failed = results.filter((result) => faultsOf(result).length > 0);
  for (const result of results) {
    const faults = faultsOf(result);
    const { path, response: { status } } = result;
    print(`${faults.length === 0 ? 'ok  ' : 'FAIL'}   ${path} ${status ?? ''}`);
    for (const fault of faults) print(`         ${fault}`);
  }
  const leftOut = files - results.length;
  const count = `${results.length} requests run, ${results.length - failed.length} passed, `
    + `${failed.length} failed, ${leftOut} without an end left out`;
  if (failed.length > 0 || results.length === 0) throw new Error(count);
  return count;
}

function faultsOf({ status, error, response, assertionResults }: BrunoResult): readonly string[] {
  const faults = assertionResults.filter((each) => each.status !== 'pass')
    .map(({ lhsExpr, rhsExpr, error: why }) => `${lhsExpr} ${rhsExpr}: ${why ?? ''}`);
  if (status !== 'pass') faults.push(error ?? status);
  if (faults.length > 0) faults.push(JSON.stringify(response.data ?? '').slice(0, SAID_MAX));
  return faults;
}
