import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { run } from '../../infra/local/command.ts';
import { VERSIONS, type ClientTools } from './tools.ts';

/** Where one client is made, and from what. */
export interface ClientFolder<Tools = ClientTools> {
  /** An empty folder of its own. */
  readonly dir: string;
  /** Folder of the stories, `test/clients`. */
  readonly stories: string;
  /** The OpenAPI document. */
  readonly document: string;
  readonly tools: Tools;
}

/** One generator: how its client is made, compiled and run. A step rejects with what was said. */
export interface Client<Tools = ClientTools> {
  readonly name: string;
  readonly generator: string;
  generate(site: ClientFolder<Tools>): Promise<unknown>;
  /** Compiles the client and the story, under the strictest settings that the generator keeps. */
  compile(site: ClientFolder<Tools>): Promise<unknown>;
  /** Runs the story against the platform that the environment names, and gives its last line. */
  use(site: ClientFolder<Tools>, env: Readonly<Record<string, string>>): Promise<string>;
}

const STEP_MS_MAX = 900_000;

const python = (tools: ClientTools): Readonly<Record<string, string>> => ({
  PYTHONPATH: tools.python, PYTHONDONTWRITEBYTECODE: '1',
  // The generator formats what it writes with ruff.
  PATH: [join(tools.python, 'bin'), process.env['PATH'] ?? ''].join(delimiter),
});

function step(
  program: string, args: readonly string[], cwd: string, env: Readonly<Record<string, string>> = {},
): Promise<string> {
  return run(program, args, { cwd, deadlineMs: STEP_MS_MAX, env });
}

function mypy({ dir, tools }: ClientFolder): Promise<string> {
  return step('python3', ['-m', 'mypy', '--follow-imports', 'silent'], dir, python(tools));
}

function generatorOf(kind: string, options: Readonly<Record<string, string>>) {
  return ({ dir, document, tools }: ClientFolder): Promise<string> => step('java', [
    '-jar', tools.openapiGenerator, 'generate', '-g', kind, '-i', document, '-o', dir,
    '--additional-properties', Object.entries(options).map((pair) => pair.join('=')).join(','),
  ], dir);
}

const typescript: Client = {
  name: 'typescript', generator: 'openapi-typescript 7.13.0',
  generate({ dir, stories, document, tools }) {
    for (const file of ['story.ts', 'tsconfig.json', 'package.json']) {
      cpSync(join(stories, 'typescript', file), join(dir, file));
    }
    symlinkSync(join(tools.npm, 'node_modules'), join(dir, 'node_modules'));
    const program = join('node_modules', 'openapi-typescript', 'bin', 'cli.js');
    return step(process.execPath, [program, document, '-o', 'schema.ts'], dir);
  },
  compile: ({ dir }) => step(process.execPath, [join('node_modules', 'typescript', 'bin', 'tsc'), '-p', '.'], dir),
  use: ({ dir }, env) => step(process.execPath, ['story.ts'], dir, env),
};

const pythonClient: Client = {
  name: 'python', generator: 'openapi-python-client 0.29.1',
  async generate({ dir, stories, document, tools }) {
    cpSync(join(stories, 'python'), dir, { recursive: true });
    const said = await step('python3', [
      '-m', 'openapi_python_client', 'generate', '--path', document, '--output-path', 'rastro_client',
      '--meta', 'none',
    ], dir, python(tools));
    // It warns of an operation or a schema that it leaves out, and ends well.
    if (/warning|error/i.test(said)) throw new Error(said);
  },
  compile: mypy,
  use: ({ dir, tools }, env) => step('python3', ['story.py'], dir, { ...python(tools), ...env }),
};

const go: Client = {
  name: 'go', generator: `oapi-codegen ${VERSIONS.oapiCodegen}`,
  generate({ dir, stories, document, tools }) {
    cpSync(join(stories, 'go'), dir, { recursive: true });
    mkdirSync(join(dir, 'client'));
    return step(tools.oapiCodegen, ['-config', 'config.yaml', '-o', 'client/client.gen.go', document], dir);
  },
  async compile({ dir }) {
    await step('go', ['vet', './...'], dir);
    await step('go', ['build', '-o', 'story', '.'], dir);
  },
  use: ({ dir }, env) => step(join(dir, 'story'), [], dir, env),
};

const java: Client = {
  name: 'java', generator: `openapi-generator ${VERSIONS.openapiGenerator} java`,
  generate: generatorOf('java', {
    invokerPackage: 'client', apiPackage: 'client.api', modelPackage: 'client.model',
    groupId: 'client', artifactId: 'client', hideGenerationTimestamp: 'true',
  }),
  compile({ dir, stories, tools }) {
    cpSync(join(stories, 'java', 'Story.java'), join(dir, 'src', 'main', 'java', 'Story.java'));
    const sources = readdirSync(join(dir, 'src', 'main'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.java')).map((file) => join('src', 'main', file));
    // The generator's own code has raw types, casts and unchecked calls.
    return step('javac', [
      '-Xlint:all,-rawtypes,-cast,-unchecked', '-Werror', '-d', 'classes',
      '-cp', join(tools.javaLibraries, '*'), ...sources,
    ], dir);
  },
  use: ({ dir, tools }, env) => step('java', [
    '-cp', ['classes', join(tools.javaLibraries, '*')].join(delimiter), 'Story',
  ], dir, env),
};

const pythonUrllib: Client = {
  name: 'python-urllib', generator: `openapi-generator ${VERSIONS.openapiGenerator} python`,
  async generate(site) {
    await generatorOf('python', { packageName: 'rastro_generated' })(site);
    cpSync(join(site.stories, 'python-urllib'), site.dir, { recursive: true });
  },
  compile: mypy,
  use: ({ dir, tools }, env) => step('python3', ['story.py'], dir, { ...python(tools), ...env }),
};

/** Every generator that the document must be good for. */
export const CLIENTS: readonly Client[] = [typescript, pythonClient, go, java, pythonUrllib];
