import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { run } from '../../infra/local/command.ts';
import type { JsonObject } from '../../schemas/files.ts';
import { brunoCollection } from '../generate-bruno/collection.ts';
import { ENDLESS } from '../generate-bruno/request.ts';
import { countOf } from './bruno-report.ts';
import type { Client } from './clients.ts';
import { cacheOf, npmPackages } from './tools.ts';

/** What the collection is checked with, and where a line about each request goes. */
export interface BrunoTools {
  /** Folder with the `node_modules` of Bruno's command line. */
  readonly npm: string;
  readonly print: (line: string) => void;
}

const RUN_MS_MAX = 300_000;
const REPORT = 'report.json';
const META = /^(folder|collection)\.bru$/;

/** Brings Bruno's command line. */
export async function requireBruno(
  stories: string, cacheDir: string, print: (line: string) => void,
): Promise<BrunoTools> {
  return { npm: await npmPackages(cacheOf(cacheDir, print), join(stories, 'bruno')), print };
}

/** The collection: made of the document, read by Bruno's own parser, and run from top to bottom. */
export const BRUNO: Client<BrunoTools> = {
  name: 'bruno', generator: 'collection, Bruno 4.1.0',
  generate({ dir, document }) {
    const files = brunoCollection(JSON.parse(readFileSync(document, 'utf8')) as JsonObject);
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(dir, path)), { recursive: true });
      writeFileSync(join(dir, path), text);
    }
    return Promise.resolve();
  },
  compile({ dir, tools }) {
    // The command line warns of a file that it cannot read, and leaves it out.
    const { bruToJsonV2 } = createRequire(join(tools.npm, 'package.json'))('@usebruno/lang') as {
      bruToJsonV2: (text: string) => unknown;
    };
    for (const file of requestFiles(dir)) bruToJsonV2(readFileSync(file, 'utf8'));
    return Promise.resolve();
  },
  async use({ dir, tools }, env) {
    const program = join(tools.npm, 'node_modules', '@usebruno', 'cli', 'bin', 'bru.js');
    const report = join(dir, REPORT);
    const words = [
      'run', '-r', '--env', 'local', '--sandbox', 'safe', '--exclude-tags', ENDLESS, '--noproxy',
      '--reporter-json', report, '--reporter-skip-all-headers',
    ];
    const failure = await run(process.execPath, [program, ...words], {
      cwd: dir, deadlineMs: RUN_MS_MAX, env: { ...env, NO_COLOR: '1' },
    }).then(() => undefined, (error: unknown) => error as Error);
    if (!existsSync(report)) throw failure ?? new Error('Bruno wrote no report.');
    return countOf(JSON.parse(readFileSync(report, 'utf8')), requestFiles(dir).length, tools.print);
  },
};

/** Every file of a request below a folder. */
function requestFiles(dir: string): readonly string[] {
  return readdirSync(dir, { withFileTypes: true, recursive: true })
    .filter(({ name, parentPath }) => (
      name.endsWith('.bru') && !META.test(name) && !parentPath.endsWith('environments')
    ))
    .map(({ name, parentPath }) => join(parentPath, name));
}
