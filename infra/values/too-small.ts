import { FLEETS, needOf } from '../generate/profiles/fleets.ts';
import type { OperatorValues } from './read-values.ts';

const GIB = { Gi: 1, Ti: 1_024 } as const;

/** Disks below what the fleet of the profile fills, with the arithmetic of `rastro capacity`. */
export function tooSmall(values: OperatorValues): readonly string[] {
  const { profile } = values;
  const { devices, periodSeconds } = FLEETS[profile];
  const brokers = needOf(profile, 'brokers').value;
  return ([
    ['storage.kafka', 'log: disk of all brokers', brokers],
    ['storage.clickhouse', 'ClickHouse: disk of one copy', 1],
  ] as const).flatMap(([path, what, count]) => {
    const { value, arithmetic } = needOf(profile, what);
    const needed = Math.ceil(value / count);
    return gibOf(values.text(path)) >= needed ? [] : [
      `${path} is ${values.text(path)}: ${devices} devices that send every ${periodSeconds} s`
        + ` fill ${needed} GiB (${arithmetic}${count === 1 ? '' : `; of ${count} brokers one`})`,
    ];
  });
}

function gibOf(size: string): number {
  return Number.parseInt(size, 10) * GIB[size.slice(-2) as keyof typeof GIB];
}
