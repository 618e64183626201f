import { createHash } from 'node:crypto';
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildOnce, MAVEN_LOCK, type Cache } from '../../infra/local/cache.ts';
import { run, runs } from '../../infra/local/command.ts';
import { pythonPackages } from '../../infra/local/python-packages.ts';
import { maven, requireMaven } from '../../infra/local/tools.ts';

/** What the kits are built and checked with. */
export interface KitTools {
  /** Folder of Python packages, for PYTHONPATH: hatchling and mypy. */
  readonly python: string;
}

/** The generators and what their clients are compiled with, each brought once into the cache. */
export interface ClientTools {
  /** Folder with the `node_modules` of openapi-typescript, openapi-fetch and TypeScript. */
  readonly npm: string;
  /** Folder of Python packages, for PYTHONPATH: both runtimes, openapi-python-client and mypy. */
  readonly python: string;
  /** The program oapi-codegen. */
  readonly oapiCodegen: string;
  /** The jar of openapi-generator. */
  readonly openapiGenerator: string;
  /** Folder of the jars that a Java client needs. */
  readonly javaLibraries: string;
}

/** Exact versions; those of npm, pip and of the runtimes are in the files of `test/clients`. */
export const VERSIONS = { oapiCodegen: 'v2.8.2', openapiGenerator: '7.17.0' } as const;

const BRING_MS_MAX = 1_800_000;
const COPY_ONE = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy';
const COPY_ALL = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies';

/** Brings everything that is missing; throws one sentence when Go, Python, Maven or npm is. */
export async function requireClientTools(
  stories: string, cacheDir: string, print: (line: string) => void,
): Promise<ClientTools> {
  const cache = cacheOf(cacheDir, print);
  if (!await runs('go', ['version'])) throw new Error('check:clients needs Go 1.26 or later.');
  await requireMaven(cache);
  return {
    npm: await npmPackages(cache, join(stories, 'typescript')),
    python: await pythonPackages(cache, 'clients', join(stories, 'requirements.txt')),
    oapiCodegen: await oapiCodegen(cache),
    openapiGenerator: await openapiGenerator(cache),
    javaLibraries: await javaLibraries(cache, join(stories, 'java', 'pom.xml')),
  };
}

/** The cache, as tools are brought into it. */
export function cacheOf(dir: string, print: (line: string) => void): Cache {
  return { dir, log: (_grade, line) => { print(line); }, waitMsMax: BRING_MS_MAX };
}

/** The packages that a folder locks; gives the folder that has their `node_modules`. */
export async function npmPackages(cache: Cache, folder: string): Promise<string> {
  const lock = join(folder, 'package-lock.json');
  return buildOnce(cache, `clients-npm-${hashOf(lock)}`, 'clients-npm', async (draft) => {
    for (const file of ['package.json', 'package-lock.json']) {
      copyFileSync(join(folder, file), join(draft, file));
    }
    await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
      cwd: draft, deadlineMs: BRING_MS_MAX,
    });
  });
}

async function oapiCodegen(cache: Cache): Promise<string> {
  const version = VERSIONS.oapiCodegen;
  const module = `github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@${version}`;
  const folder = await buildOnce(cache, `oapi-codegen-${version}`, 'oapi-codegen', async (draft) => {
    await run('go', ['install', module], {
      cwd: draft, deadlineMs: BRING_MS_MAX,
      env: { GOBIN: draft, GOFLAGS: '-buildvcs=false', GOPATH: process.env['GOPATH'] },
    });
  });
  return join(folder, 'oapi-codegen');
}

async function openapiGenerator(cache: Cache): Promise<string> {
  const version = VERSIONS.openapiGenerator;
  const folder = await buildOnce(cache, `openapi-generator-${version}`, MAVEN_LOCK, (draft) => maven(
    draft, [COPY_ONE, `-Dartifact=org.openapitools:openapi-generator-cli:${version}`, '-DoutputDirectory=.'],
  ));
  return join(folder, `openapi-generator-cli-${version}.jar`);
}

async function javaLibraries(cache: Cache, pom: string): Promise<string> {
  return buildOnce(cache, `clients-java-${hashOf(pom)}`, MAVEN_LOCK, (draft) => {
    copyFileSync(pom, join(draft, 'pom.xml'));
    return maven(draft, [COPY_ALL, '-DincludeScope=compile', '-DoutputDirectory=.']);
  });
}

function hashOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex').slice(0, 12);
}
