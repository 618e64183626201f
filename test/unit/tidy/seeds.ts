/** One seeded offence: the files to plant, who offends, and the rule that must say so. */
export interface Seed {
  readonly rule: string;
  readonly offender: string;
  readonly files: Readonly<Record<string, string>>;
}

const thing = 'export const thing = 1;\n';
const takes = (...from: string[]): string =>
  from.map((path, index) => `import { thing as t${index} } from '${path}';\n`).join('') +
  `export const all = [${from.map((_, index) => `t${index}`).join(', ')}];\n`;

const crossing = (
  rule: string,
  offender: string,
  target: string,
  files: Readonly<Record<string, string>> = {},
): Seed => ({ rule, offender, files: { [offender]: takes(target), ...files } });

/** What every crossing may reach; also the ways that are allowed. */
const ground: Seed = {
  rule: 'no-orphans',
  offender: 'services/gateways/lonely.ts',
  files: {
    'services/gateways/lonely.ts': thing,
    'services/kernel/thing.ts': thing,
    'services/domain/device/thing.ts': thing,
    'services/domain/token/thing.ts': thing,
    'services/adapters/redis/thing.ts': thing,
    'services/state/thing.ts': thing,
    'services/state/allowed.ts': takes('../kernel/thing.ts', '../domain/token/thing.ts'),
    'services/adapters/kafka/thing.ts': thing,
    'services/adapters/signals/thing.ts': thing,
    'services/gateways/oauth/thing.ts': thing,
    'services/gateways/common/thing.ts': thing,
    'services/gateways/oauth/allowed.ts': takes('../common/thing.ts', './thing.ts'),
    'services/workers/table-writer/thing.ts': thing,
    'services/provider/thing.ts': thing,
    'infra/local/thing.ts': thing,
    'scripts/thing.ts': thing,
    'services/domain/device/allowed.ts': takes('../../kernel/thing.ts', './thing.ts'),
    'services/adapters/redis/allowed.ts': takes('../signals/thing.ts', '../../kernel/thing.ts'),
    'services/gateways/allowed/main.ts': takes(
      '../../adapters/redis/thing.ts',
      '../../domain/device/allowed-too.ts',
    ),
    'services/domain/device/allowed-too.ts': takes('./allowed.ts').replace('thing', 'all') + thing,
    'services/workers/allowed/assemble-all.ts': takes('../../adapters/redis/allowed-too.ts'),
    'services/adapters/redis/allowed-too.ts':
      "import { Redis } from 'ioredis';\nexport const thing = [Redis, all];\n" +
      "import { all } from './allowed.ts';\n",
  },
};

/** At least one seeded crossing per law of scripts/quality/dependency-cruiser.cjs. */
export const crossings: readonly Seed[] = [
  ground,
  crossing('no-cycles', 'services/kernel/about.ts', './round.ts', {
    'services/kernel/round.ts': "import { all } from './about.ts';\nexport const thing = all;\n",
  }),
  crossing('imports-resolve', 'services/workers/lost.ts', './nowhere.ts'),
  crossing('kernel-is-leaf', 'services/kernel/branch.ts', '../domain/device/thing.ts'),
  crossing('domain-is-pure', 'services/domain/device/impure.ts', 'node:fs'),
  crossing('domain-is-pure', 'services/domain/device/adapted.ts', '../../adapters/redis/thing.ts'),
  crossing('aggregates-are-strangers', 'services/domain/device/friend.ts', '../token/thing.ts'),
  crossing('adapters-are-strangers', 'services/adapters/redis/friend.ts', '../kafka/thing.ts'),
  crossing(
    'adapters-know-no-business',
    'services/adapters/redis/busy.ts',
    '../../domain/token/thing.ts',
  ),
  crossing('state-over-the-store', 'services/state/adapted.ts', '../adapters/redis/thing.ts'),
  crossing('operator-over-ports', 'services/operator/adapted.ts', '../adapters/redis/thing.ts'),
  crossing('only-main-wires-state', 'services/gateways/oauth/states.ts', '../../state/thing.ts'),
  crossing(
    'only-main-wires-adapters',
    'services/gateways/oauth/wires.ts',
    '../../adapters/redis/thing.ts',
  ),
  {
    rule: 'only-main-wires-adapters',
    offender: 'services/workers/table-writer/types.ts',
    files: {
      'services/workers/table-writer/types.ts':
        "import type { thing } from '../../adapters/kafka/thing.ts';\n" +
        'export type Thing = typeof thing;\n',
    },
  },
  crossing('libraries-stay-in-adapters', 'services/gateways/oauth/library.ts', 'ioredis'),
  crossing('signals-stay-in-their-room', 'services/adapters/redis/counts.ts', 'prom-client'),
  crossing('signals-stay-in-their-room', 'services/adapters/kafka/writes.ts', 'pino'),
  crossing('machine-stays-in-adapters', 'services/workers/table-writer/files.ts', 'node:fs'),
  crossing('no-tools-in-production', 'services/adapters/redis/tool.ts', 'vitest'),
  crossing('deployables-are-strangers', 'services/gateways/oauth/far.ts', '../../provider/thing.ts'),
  crossing(
    'only-the-command-line-runs-the-kit',
    'services/gateways/oauth/examined.ts',
    '../../conformance/assemble.ts',
    { 'services/conformance/assemble.ts': thing },
  ),
  crossing('kits-are-alone', 'services/clients/typescript/src/leans.ts', '../../../kernel/thing.ts'),
  crossing(
    'only-tests-use-the-kits',
    'services/provider/sends.ts',
    '../clients/typescript/src/thing.ts',
    { 'services/clients/typescript/src/thing.ts': thing },
  ),
  crossing(
    'gateways-and-workers-are-strangers',
    'services/gateways/devices/near.ts',
    '../oauth/thing.ts',
  ),
  crossing(
    'gateways-and-workers-are-strangers',
    'services/gateways/common/back.ts',
    '../oauth/thing.ts',
  ),
  crossing(
    'gateways-and-workers-are-strangers',
    'services/workers/journey/near.ts',
    '../table-writer/thing.ts',
  ),
  crossing('only-main-runs-a-process', 'services/workers/journey/opens.ts', '../../process/thing.ts', {
    'services/process/thing.ts': thing,
  }),
  crossing(
    'parts-of-a-worker-are-strangers',
    'services/workers/parties/feeds/near.ts',
    '../commands/thing.ts',
    { 'services/workers/parties/commands/thing.ts': thing },
  ),
  crossing('stack-is-alone', 'infra/local/writes.ts', '../generate/thing.ts', {
    'infra/generate/thing.ts': thing,
  }),
  crossing('nobody-imports-scripts-or-tests', 'services/provider/cheat.ts', '../../scripts/thing.ts'),
  crossing('stack-is-alone', 'infra/local/leans.ts', '../../services/kernel/thing.ts'),
  crossing(
    'checker-is-foreign',
    'test/faults/checker/leans.ts',
    '../../../services/kernel/thing.ts',
  ),
  crossing('services-know-no-infra', 'services/provider/knows.ts', '../../infra/local/thing.ts'),
];

const linted = (rule: string, offender: string, text: string): Seed => ({
  rule,
  offender,
  files: { [offender]: text },
});

/** One offence per lint rule that the house relies on. */
export const lintSeeds: readonly Seed[] = [
  linted(
    '@typescript-eslint/no-floating-promises',
    'services/provider/floats.ts',
    'Promise.resolve(1);\n',
  ),
  linted(
    '@typescript-eslint/switch-exhaustiveness-check',
    'services/provider/gap.ts',
    "export function f(a: 'x' | 'y'): void {\n  switch (a) {\n    case 'x':\n      return;\n  }\n}\n",
  ),
  linted(
    '@typescript-eslint/no-explicit-any',
    'services/provider/loose.ts',
    'export const f = (a: any): unknown => a;\n',
  ),
  linted('no-console', 'services/provider/talks.ts', "console.log('hello');\n"),
  linted('max-lines', 'services/provider/long.ts', 'export {};\n'.repeat(301)),
  linted(
    'local/own-lines',
    'services/provider/deep.ts',
    `export function f(): void {\n${'  f();\n'.repeat(71)}}\n`,
  ),
  linted('max-len', 'services/provider/wide.ts', `export const a = ${'1 + '.repeat(25)}1;\n`),
  linted('no-restricted-syntax', 'services/domain/device/now.ts', 'export const a = Date.now();\n'),
  linted('no-restricted-syntax', 'services/kernel/date.ts', 'export const a = new Date();\n'),
  linted(
    'no-restricted-imports', 'scripts/second-parser.ts',
    "import { parseArgs } from 'node:util';\nexport const a = parseArgs();\n",
  ),
  linted(
    'no-restricted-syntax',
    'services/gateways/oauth/topic.ts',
    "export const topic = 'oauth.tokens.v1';\n",
  ),
  linted('no-restricted-syntax', 'services/domain/dice.ts', 'export const a = Math.random();\n'),
];

/** Offences only the compiler sees, with the program that must see them. */
export const typeSeeds: readonly (Seed & { readonly project: string; readonly room: string })[] = [
  {
    rule: 'types',
    project: 'tsconfig.json',
    room: '',
    offender: 'services/provider/wrong.ts',
    files: { 'services/provider/wrong.ts': "export const a: number = 'one';\n" },
  },
  {
    rule: 'domain types',
    project: 'services/domain/tsconfig.json',
    room: 'services/domain/',
    offender: 'services/domain/worldly.ts',
    files: {
      'services/domain/worldly.ts':
        'export const all = [process, setTimeout, console, fetch, crypto];\n',
    },
  },
];
