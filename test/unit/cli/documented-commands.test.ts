import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandOf, wholeHelp } from '../../../services/adapters/command-line/command-line.ts';
import { wholeRastro } from '../../../services/cli/assemble-program.ts';
import { isMetricName } from '../../../services/kernel/signals/metrics.ts';

const HELP: Readonly<Record<string, string>> = Object.fromEntries(
  commandOf(await wholeRastro()).commands.map((command) => [command.name(), wholeHelp(command)]),
);
const FOLDERS = ['docs/runbooks', 'docs/how-to'];
const CALL = /(?:^|[`$ (])rastro (?:-- )?([a-z][a-z-]*)([^`\n]*)/gm;
const METRIC = /\brastro_[a-z0-9_]+/g;
const ENDINGS = /_(bucket|sum|count)$/;

/** Every `rastro …` that a page names, and each name of a metric in it. */
function pages() {
  return FOLDERS.flatMap((folder) => readdirSync(folder).filter((name) => name.endsWith('.md'))
    .map((name) => {
      // The namespace of the cluster has the name of the command, and a package that of a metric.
      const text = readFileSync(join(folder, name), 'utf8').replaceAll('-n rastro', '')
        .replaceAll(/^from rastro_\w+ import/gm, '');
      return {
        page: join(folder, name),
        calls: [...text.matchAll(CALL)].map(([, verb = '', rest = '']) => ({ verb, rest })),
        metrics: text.match(METRIC) ?? [],
      };
    }));
}

describe('the commands in runbooks and how-to pages', () => {
  it.each(pages())('in $page are commands and options that there are', ({ calls }) => {
    for (const { verb, rest } of calls) {
      const help = HELP[verb];
      expect([verb, help === undefined]).toEqual([verb, false]);
      const [, second] = /^ ([a-z][a-z-]*)\b/.exec(rest) ?? [];
      if (second !== undefined) expect(help).toContain(second);
      for (const [option] of rest.matchAll(/--[a-z][a-z-]*/g)) {
        if (option !== '--json' && option !== '--help') expect(help).toContain(option);
      }
    }
  });

  it.each(pages())('in $page asks for metrics that a process has', ({ metrics }) => {
    expect(metrics.filter((name) => !isMetricName(name)
      && !isMetricName(name.replace(ENDINGS, '')))).toEqual([]);
  });

  it('covers a good part of the commands', () => {
    const documented = new Set(pages().flatMap(({ calls }) => calls.map(({ verb }) => verb)));
    expect([...documented].toSorted()).toEqual(expect.arrayContaining([
      'device', 'dlq', 'drain', 'hot-keys', 'lag', 'overflow', 'rebuild', 'shipment', 'topics',
    ]));
  });
});
