import { describe, expect, it } from 'vitest';
import { inspectTree, tidyRules } from '../../../scripts/check/tidy/inspect.ts';
import { tidyFile } from '../../../scripts/check/tidy/tree.ts';

const MACHINE_PATH = ['', 'work', 'main', 'a'].join('/');

// For each rule: samples it must refuse, and neighbours just inside the line it must let pass.
type Sample = readonly [path: string, text: string];
interface Proof {
  readonly bad: readonly Sample[];
  readonly good: readonly Sample[];
}

const line = 'const a = 1;\n';
const wide = (columns: number): string => `${'a'.repeat(columns)}\n`;

const proofs: Record<string, Proof> = {
  'short-files': {
    bad: [
      ['services/a/long.ts', line.repeat(301)],
      ['services/a/README.md', line.repeat(301)],
      ['infra/a/long.sql', line.repeat(301)],
    ],
    good: [
      ['services/a/short.ts', line.repeat(300)],
      ['docs/interface.md', line.repeat(301)],
      ['schemas/generated/types.ts', line.repeat(301)],
    ],
  },
  'narrow-lines': {
    bad: [
      ['infra/a/wide.sql', wide(101)],
      ['infra/a/wide.yaml', wide(101)],
    ],
    good: [
      ['infra/a/narrow.sql', wide(100)],
      ['infra/a/link.yaml', `# https://example.com/${wide(101)}`],
    ],
  },
  'utf8-with-newline': {
    bad: [
      ['services/a/open.ts', 'const a = 1;'],
      ['services/a/empty.ts', ''],
      ['services/a/returns.ts', 'const a = 1;\r\n'],
      ['services/a/nul.ts', 'a\0b\n'],
    ],
    good: [
      ['services/a/closed.ts', "const a = 'ñ';\n"],
      ['services/provider/tracks/a/track.json', '{}\r\n'],
      ['services/provider/tracks/a/track.csv.gz', '\u001f\0'],
    ],
  },
  'one-title': {
    bad: [
      ['test/a/README.md', 'no title\n'],
      ['test/a/README.md', '# One\n\n# Two\n'],
    ],
    good: [['test/a/README.md', '# One\n\n## Part\n\n```\n# a comment\n```\n']],
  },
  'no-plans-in-the-tree': {
    bad: [
      ['services/a/a.ts', `// TODO later\n`],
      ['docs/a.md', `FIXME later\n`],
    ],
    good: [['docs/a.md', `We write no \`TODO\`.\n`]],
  },
  'a-worker-is-named-in-one-file': {
    bad: [
      ['scripts/a.ts', "const all = ['projector', 'parties.feeds'];\n"],
      ['services/a/a.ts', "type Name = 'journey' | 'table-writer';\n"],
    ],
    good: [
      ['scripts/a.ts', "const one = ['projector', 'other'];\n"],
      ['services/workers/workers.ts', "const all = ['projector', 'journey'];\n"],
    ],
  },
  'no-any': {
    bad: [
      ['services/a/a.ts', `let a: any;\n`],
      ['test/a/a.ts', `b(a as any);\n`],
      ['test/a/a.ts', `let a: any[];\n`],
      ['test/a/a.ts', `let a: Map<any, string>;\n`],
    ],
    good: [
      ['services/a/a.ts', `let a: Anything; // as any other\n`],
      ['test/a/a.test.ts', `it('is refused as any other', b);\n`],
    ],
  },
  'no-metric-names': {
    bad: [['services/a/a.ts', "signals.count('rastro_http_requests_total', 1);\n"]],
    good: [
      ['services/kernel/signals/metrics.ts', "const a = 'rastro_http_requests_total';\n"],
      ['services/a/a.ts', 'signals.requestAnswered(facts);\n'],
    ],
  },
  'no-only-no-skip': {
    bad: [
      ['test/unit/a.test.ts', `it.only('a', b);\n`],
      ['test/unit/a.test.ts', `describe.skip('a', b);\n`],
    ],
    good: [['services/a/a.ts', 'reader.skip(4);\n']],
  },
  'no-console': {
    bad: [['services/a/a.ts', 'console.log(1);\n']],
    good: [['scripts/a.ts', 'console.log(1);\n']],
  },
  'no-sleep': {
    bad: [['test/a/a.test.ts', 'await sleep(10);\n']],
    good: [['services/a/a.ts', 'await clock.sleep(10);\n']],
  },
  'no-machine-paths': {
    bad: [
      ['services/a/a.ts', `read('${MACHINE_PATH}');\n`],
      ['docs/a.md', 'see /root/notes\n'],
      ['docs/a.md', 'see /tmp/rastro/brief.md\n'],
    ],
    good: [['services/a/a.ts', "read('services/work/a');\n"]],
  },
  'no-registry-hosts': {
    bad: [
      ['infra/a/a.ts', "get('https://registry.npmjs.org/a');\n"],
      ['package-lock.json', '{"resolved": "https://registry.npmjs.org/a.tgz"}\n'],
    ],
    good: [['docs/a.md', 'the public npm registry\n']],
  },
  'clean-top': {
    bad: [['PLAN.md', '# Plan\n']],
    good: [['README.md', '# Rastro\n']],
  },
  'rooms-are-explained': {
    bad: [
      ['services/room/a.ts', line],
      ['services/adapters/room/deep/a.ts', line],
      ['infra/room/a.ts', line],
    ],
    good: [['services/main.ts', line]],
  },
  'links-arrive': {
    bad: [
      ['docs/a.md', '[gone](b.md)\n'],
      ['docs/a.md', '[gone](../services/gone/)\n'],
    ],
    good: [
      ['docs/a.md', '[me](a.md#part) [top](../docs/) [far](https://example.com) [here](#part)\n'],
      ['docs/a.md', '`[not a](link.md)`\n'],
    ],
  },
};

describe('tidy', () => {
  it('holds for every tracked file of this tree', () => {
    const report = inspectTree(process.cwd());
    expect(report.complaints).toEqual([]);
    expect(report.seen).toBeGreaterThan(20);
  });

  it('proves each rule on a bad sample, and has no proof without a rule', () => {
    expect(Object.keys(proofs).sort()).toEqual(tidyRules.map((rule) => rule.name).sort());
  });

  for (const rule of tidyRules) {
    it(`refuses what ${rule.name} forbids`, () => {
      for (const [path, text] of proofs[rule.name]?.bad ?? []) {
        expect(rule.offences([tidyFile(path, text)]), `${path}: ${text}`).not.toEqual([]);
      }
    });

    it(`lets pass what ${rule.name} allows`, () => {
      for (const [path, text] of proofs[rule.name]?.good ?? []) {
        expect(rule.offences([tidyFile(path, text)]), `${path}: ${text}`).toEqual([]);
      }
    });
  }

  it('refuses bytes that are not UTF-8', () => {
    const rule = tidyRules.find((one) => one.name === 'utf8-with-newline');
    const latin1 = tidyFile('services/a/a.ts', Buffer.from([0xf1, 0x0a]));
    expect(rule?.offences([latin1])).toEqual(['services/a/a.ts is not UTF-8 text']);
  });
});
