/** What of standard error decides how progress is shown. */
export interface ProgressStream {
  readonly isTTY?: boolean;
  readonly write: (text: string) => unknown;
}

const CLEARED = '\r\u001b[K';

/**
 * Shows lines of progress, an empty one at the end: on a terminal one line that changes, elsewhere
 * a line each. Nothing where a program reads: with `--json` standard error holds errors alone.
 */
export function progressReport(
  stream: ProgressStream, asJson: boolean,
): (line: string) => void {
  if (stream.isTTY === true) return (line) => void stream.write(`${CLEARED}${line}`);
  return (line) => {
    if (!asJson && line !== '') stream.write(`${line}\n`);
  };
}
