import type { ClientLimits, ClientRecorded } from '../../kernel/access.ts';
import { LIMITS_OF_CLIENTS } from '../../kernel/client-limits.ts';
import { wholeFrom, type Command } from '../../adapters/command-line/command-line.ts';

const PER_SECOND_MAX = 1_000_000_000;
const PER_DAY_MAX = 1_000_000_000_000_000;
/** What takes a limit from a client, so that the one of the deployment holds again. */
const DEFAULT = 'default';

type Limit = number | typeof DEFAULT;

/** Limits as the command line gives them; what is absent stays as it is. */
export interface LimitOptions {
  readonly requests?: Limit;
  readonly locations?: Limit;
  readonly notifications?: Limit;
  readonly bytes?: Limit;
  readonly deviceRequests?: Limit;
  readonly tenantBytesPerDay?: Limit;
}

const OPTION_OF: Readonly<Record<keyof ClientLimits, keyof LimitOptions>> = {
  requests_per_second: 'requests', locations_per_second: 'locations',
  notifications_per_second: 'notifications', bytes_per_second: 'bytes',
  device_requests_per_second: 'deviceRequests', tenant_bytes_per_day: 'tenantBytesPerDay',
};

/** Declares an option for each limit. */
export function limitOptions(command: Command): Command {
  const perSecond = wholeOrDefault(PER_SECOND_MAX);
  return command
    .option('--requests <n>', 'calls per second, or "default"', perSecond)
    .option('--locations <n>', 'locations per second, or "default"', perSecond)
    .option('--notifications <n>', 'notifications per second, or "default"', perSecond)
    .option('--bytes <n>', 'bytes of bodies per second, or "default"', perSecond)
    .option('--device-requests <n>', 'calls per second of each device, or "default"', perSecond)
    .option(
      '--tenant-bytes-per-day <n>', 'bytes a day of all clients of its user, or "default"',
      wholeOrDefault(PER_DAY_MAX),
    );
}

/** The limits of a client after a change; undefined when none is named. */
export function changedLimits(
  { limits = {} }: ClientRecorded, options: LimitOptions,
): ClientLimits | undefined {
  const asked = LIMITS_OF_CLIENTS.filter((member) => options[OPTION_OF[member]] !== undefined);
  if (asked.length === 0) return undefined;
  const next = new Map(Object.entries(limits) as [keyof ClientLimits, number][]);
  for (const member of asked) {
    const value = options[OPTION_OF[member]];
    if (typeof value === 'number') next.set(member, value);
    else next.delete(member);
  }
  return Object.fromEntries(next);
}

/** Each limit as a line: the client's own, or the setting of the gateways that holds. */
export function limitLines({ limits = {} }: Pick<ClientRecorded, 'limits'>): readonly string[] {
  return LIMITS_OF_CLIENTS.map((member) => (
    `${member.padEnd(28)}${limits[member] ?? `default (RASTRO_${member.toUpperCase()})`}`
  ));
}

function wholeOrDefault(most: number): (text: string) => Limit {
  const whole = wholeFrom(1, most);
  return (text) => text === DEFAULT ? DEFAULT : whole(text);
}
