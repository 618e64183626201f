import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fencesIn } from '../../support/pages/read-blocks.ts';

const PAGE = 'docs/reference/live-feeds.md';
const EXAMPLE_MS_MAX = 60_000;

/** What an example follows, and the devices that it must be shown. */
export interface Followed {
  readonly url: string;
  readonly token: string;
  readonly device: string;
}

/** Languages of the page's examples: each is followed by lines that end it once a device came. */
const EXAMPLES = {
  js: {
    file: 'follow.mjs', program: process.execPath,
    use: `const [url, token, device] = process.argv.slice(2);
await follow(url, token, (event, data) => {
  if (JSON.stringify(data).includes(device)) { process.stdout.write(event, () => process.exit(0)); }
});`,
  },
  python: {
    file: 'follow.py', program: 'python3',
    use: `import sys
def show(event, data):
    if sys.argv[3] in json.dumps(data):
        print(event)
        sys.exit(0)
follow(sys.argv[1], sys.argv[2], show)`,
  },
} as const;

/** The examples of the page about live feeds, as a reader copies them. */
export function pageExamplesSuite(at: () => Promise<Followed>): void {
  describe('the examples of the page about live feeds', () => {
    const fences = fencesIn(readFileSync(PAGE, 'utf8'));
    let dir: string;
    beforeAll(() => { dir = mkdtempSync(join(tmpdir(), 'rastro-follow-')); });
    afterAll(() => rmSync(dir, { recursive: true, force: true }));

    it.each(Object.entries(EXAMPLES))('in %s follow the positions of a device', async (
      language, { file, program, use },
    ) => {
      const example = fences.find((fence) => fence.language === language);
      const { url, token, device } = await at();
      const path = join(dir, file);
      writeFileSync(path, `${example?.body.join('\n') ?? ''}\n${use}\n`);
      const { stdout } = await promisify(execFile)(
        program, [path, url, token, device], { timeout: EXAMPLE_MS_MAX },
      );
      expect(stdout.trim()).toBe('positions');
    }, 2 * EXAMPLE_MS_MAX);
  });
}
