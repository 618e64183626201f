import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { apiDocuments, lintApi } from '../lint-api/lint.ts';
import type { Gate, GateReport } from './gate.ts';
import { inspectReleased } from '../release/released-files.ts';
import { lastWords, runTool } from './run-tool.ts';
import { inspectTree } from './tidy/inspect.ts';
import { commitGate } from './words/commit-gate.ts';
import { glossaryGate, proseGate } from './words/gates.ts';

/** What runs in browsers is compiled with the types of these. */
const BROWSER = 'services/adapters/console/browser/';

/** All gates, the slowest first, so that two lanes end at about the same time. */
export function allGates(): Gate[] {
  return [
    lintGate(),
    typesGate('types', 'tsconfig.json', ''),
    { name: 'api', unit: 'operations', inspect: (root) => lintApi(apiDocuments(root)) },
    layersGate(),
    proseGate(),
    glossaryGate(),
    deadCodeGate(),
    typesGate('browser types', `${BROWSER}tsconfig.json`, BROWSER),
    typesGate('domain types', 'services/domain/tsconfig.json', 'services/domain/'),
    generatedGate(),
    {
      name: 'released files', unit: 'files', inspect: async (root) => inspectReleased(root),
    },
    { name: 'tidy', unit: 'files', inspect: async (root) => inspectTree(root) },
    commitGate(),
  ];
}

/** The compiler over one project; only own files under `room` count as seen. */
export function typesGate(name: string, project: string, room: string): Gate {
  const inspect = async (root: string): Promise<GateReport> => {
    const args = ['--noEmit', '--listFiles', '--pretty', 'false', '-p', project];
    const run = await runTool(root, 'node_modules/typescript/bin/tsc', args);
    const lines = run.stdout.split('\n');
    const own = join(root, room);
    const seen = lines.filter((line) => line.startsWith(own) && !line.includes('/node_modules/'));
    const errors = lines.filter((line) => /(^|: )error TS\d+/.test(line));
    return verdictOf(run.code, seen.length, errors, () => lastWords(run));
  };
  return { name, unit: 'files', inspect };
}

interface LintResult {
  readonly filePath: string;
  readonly messages: readonly { line?: number; ruleId: string | null; message: string }[];
}

/** ESLint with type information over every file it knows. */
export function lintGate(): Gate {
  const inspect = async (root: string): Promise<GateReport> => {
    const config = 'scripts/quality/eslint.config.mjs';
    const args = ['-c', config, '--format', 'json', '--max-warnings', '0', '.'];
    const run = await runTool(root, 'node_modules/eslint/bin/eslint.js', args);
    if (run.code !== 0 && run.code !== 1) return { seen: 0, complaints: lastWords(run) };
    const results = JSON.parse(run.stdout) as LintResult[];
    const complaints = results.flatMap((file) => lintComplaints(root, file));
    return verdictOf(run.code, results.length, complaints, () => lastWords(run));
  };
  return { name: 'lint', unit: 'files', inspect };
}

/** One complaint per rule and file, at its first line: a habit is one sentence, not fifty. */
function lintComplaints(root: string, file: LintResult): string[] {
  const byRule = Map.groupBy(file.messages, (message) => message.ruleId ?? 'parse');
  return [...byRule].map(([rule, messages]) => {
    const where = `${relative(root, file.filePath)}:${messages[0]?.line ?? 0}`;
    const lines = messages.length > 1 ? ` (on ${messages.length} lines)` : '';
    return `${where} ${rule}: ${messages[0]?.message.split('\n')[0] ?? ''}${lines}`;
  });
}

interface Cruise {
  readonly summary: {
    readonly totalCruised: number;
    readonly violations: readonly { from: string; to: string; rule: { name: string } }[];
  };
}

/** dependency-cruiser over every import, type-only ones too, against the laws of the layers. */
export function layersGate(rooms: readonly string[] = layerRooms): Gate {
  const inspect = async (root: string): Promise<GateReport> => {
    const tool = 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs';
    const config = 'scripts/quality/dependency-cruiser.cjs';
    const args = ['--config', config, '--output-type', 'json', ...rooms];
    const run = await runTool(root, tool, args);
    if (!run.stdout.startsWith('{')) return { seen: 0, complaints: lastWords(run) };
    const { summary } = JSON.parse(run.stdout) as Cruise;
    const complaints = summary.violations.map(
      (one) => `${one.rule.name}: ${one.from} → ${one.to}`,
    );
    return verdictOf(run.code, summary.totalCruised, complaints, () => lastWords(run));
  };
  return { name: 'layers', unit: 'modules', inspect };
}

const layerRooms = ['services', 'infra', 'scripts', 'test', 'schemas/generated'];

/** knip: files, exports and dependencies without a user. */
export function deadCodeGate(): Gate {
  const inspect = async (root: string): Promise<GateReport> => {
    const reporter = './scripts/quality/knip-reporter.mjs';
    const args = ['-c', 'scripts/quality/knip.json', '--reporter', reporter, '--no-progress'];
    const run = await runTool(root, 'node_modules/knip/bin/knip.js', args);
    const line = run.stdout.split('\n').find((text) => text.startsWith('{"seen"'));
    if (line === undefined) return { seen: 0, complaints: lastWords(run) };
    const { seen, complaints } = JSON.parse(line) as GateReport;
    return verdictOf(run.code, seen, complaints, () => lastWords(run));
  };
  return { name: 'dead code', unit: 'files', inspect };
}

/** The generator run again in memory: what is committed must be what the schemas say today. */
export function generatedGate(): Gate {
  const inspect = async (root: string): Promise<GateReport> => {
    const run = await runTool(root, 'scripts/generate.ts', ['--check']);
    if (run.code !== 0) return { seen: 0, complaints: lastWords(run) };
    const seen = readdirSync(join(root, 'schemas/generated')).filter((name) => name !== 'README.md');
    return { seen: seen.length, complaints: [] };
  };
  return { name: 'generated files', unit: 'files', inspect };
}

/** A tool that failed must have said why; a tool that complained need not also fail. */
function verdictOf(
  code: number | null,
  seen: number,
  complaints: readonly string[],
  words: () => string[],
): GateReport {
  if (code !== 0 && complaints.length === 0) return { seen, complaints: words() };
  return { seen, complaints };
}
