import { relative } from 'node:path';
import { parseArgs } from 'node:util';
import { readCosts, type Costs } from './costs.ts';
import { ASSUMED, show, sizeFor, type Assumptions } from './model.ts';
import { optionOf } from './page.ts';
import type { Report } from '../ports.ts';
import { misuse } from '../usage.ts';

/** Where a report of the bench comes from. */
export interface CapacityPorts {
  /** The value of a JSON file; throws when there is none. */
  readonly readJson: (path: string) => unknown;
  /** The report that is committed with the product. */
  readonly defaultPath: string;
}

const NAMES = Object.keys(ASSUMED) as readonly (keyof Assumptions)[];

/**
 * `rastro capacity`: what a fleet needs, line by line with the arithmetic, from what one run of the
 * bench has measured. Exit code 1 when there is no such run, or it is wrong itself.
 */
export function capacityCommand(ports: CapacityPorts, args: readonly string[]): Report {
  const { values, positionals } = parseArgs({
    args: [...args], allowPositionals: true,
    options: {
      devices: { type: 'string' }, period: { type: 'string' }, costs: { type: 'string' },
      ...Object.fromEntries(NAMES.map((name) => [optionOf(name), { type: 'string' } as const])),
    },
  });
  const given: Readonly<Record<string, string | undefined>> = values;
  if (positionals.length > 0) return misuse(`Too many words: ${positionals.join(' ')}`);
  const demand = {
    devices: Number(given['devices']), periodSeconds: Number(given['period']),
  };
  const assumed = Object.fromEntries(NAMES.map((name) => (
    [name, Number(given[optionOf(name)] ?? ASSUMED[name])]
  ))) as Assumptions;
  const numbers = [...Object.values(demand), ...Object.values(assumed)];
  if (numbers.some((value) => !(value > 0 && value < Infinity))) {
    return misuse('Give --devices and --period, and only numbers above 0.');
  }
  const costs = costsOf(ports, given['costs'] ?? ports.defaultPath);
  if (typeof costs === 'string') return { value: { error: costs }, lines: [costs], exitCode: 1 };
  const lines = sizeFor(demand, costs, assumed);
  return {
    value: { run: costs.run, costs: costs.figures, demand, assumed, lines },
    lines: [
      `Costs of one run: ${costs.run}`,
      `Assumed: ${NAMES.map((name) => `${optionOf(name)} ${assumed[name]}`).join(', ')}`, '',
      ...lines.map(({ what, value, unit, arithmetic }) => (
        `${what}: ${arithmetic} = ${show(value)} ${unit}`
      )),
    ],
    exitCode: 0,
  };
}

function costsOf({ readJson }: CapacityPorts, path: string): Costs | string {
  try {
    return readCosts(readJson(path));
  } catch (error) {
    // Node tells the path once more, and ends without a full stop.
    const why = (error as Error).message.replace(/, open '.*'$/, '').replace(/\.?$/, '.');
    return `No measured costs in ${relative('.', path)}: ${why} Run npm run bench -- --out DIR on `
      + 'a quiet machine and name its bench.json by --costs.';
  }
}
