import { relative } from 'node:path';
import { example, numberFrom, wrongValue } from '../../adapters/command-line/command-line.ts';
import { readCosts, type Costs } from './costs.ts';
import { ASSUMED, show, sizeFor, type Assumptions } from './model.ts';
import { optionOf } from './page.ts';
import type { Report } from '../ports.ts';
import { noun } from '../noun.ts';

/** Where a report of the bench comes from. */
export interface CapacityPorts {
  /** The value of a JSON file; throws when there is none. */
  readonly readJson: (path: string) => unknown;
  /** The report that is committed with the product. */
  readonly defaultPath: string;
}

const NAMES = Object.keys(ASSUMED) as readonly (keyof Assumptions)[];

interface CapacityOptions extends Partial<Assumptions> {
  readonly devices: number;
  readonly period: number;
  readonly costs?: string;
}

/**
 * `rastro capacity`: what a fleet needs, line by line with the arithmetic, from what one run of the
 * bench has measured. Exit code 1 when there is no such run, or it is wrong itself.
 */
export const capacityCommand = noun<CapacityPorts>((command, does) => {
  command
    .description('What a fleet needs, with the arithmetic, from what a run of the bench measured.')
    .requiredOption('--devices <n>', 'devices of the fleet', positive)
    .requiredOption('--period <s>', 'seconds between two locations of a device', positive)
    .option('--costs <file>', 'report of another run of the bench');
  for (const name of NAMES) {
    command.option(`--${optionOf(name)} <n>`, 'see docs/reference/capacity.md', positive, ASSUMED[name]);
  }
  example(command.action(does(sizes)), 'rastro capacity --devices 1000000 --period 10',
    'Exit codes: 0 done, 1 there is no good run of the bench, 2 wrong use.');
});

function positive(text: string): number {
  const value = numberFrom(0)(text);
  return value > 0 && value < Infinity ? value : wrongValue('It must be above 0.');
}

function sizes(ports: CapacityPorts, options: CapacityOptions): Report {
  const demand = { devices: options.devices, periodSeconds: options.period };
  const assumed = Object.fromEntries(
    NAMES.map((name) => [name, options[name] ?? ASSUMED[name]]),
  ) as Assumptions;
  const costs = costsOf(ports, options.costs ?? ports.defaultPath);
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
    // Node repeats the path, and ends without a full stop.
    const why = (error as Error).message.replace(/, open '.*'$/, '').replace(/\.?$/, '.');
    return `No measured costs in ${relative('.', path)}: ${why} Run npm run bench -- --out DIR on `
      + 'a quiet machine and name its bench.json by --costs.';
  }
}
