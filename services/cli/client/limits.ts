import type { ClientLimits, ClientRecorded } from '../../kernel/access.ts';
import type { LimitName } from '../../kernel/admission.ts';
import { LIMIT_MEMBERS, LIMIT_NAMES } from '../../kernel/client-rates.ts';
import { wholeFrom, type Command } from '../../adapters/command-line/command-line.ts';

const PER_SECOND_MAX = 1_000_000_000;
/** What takes a limit from a client, so that the one of the deployment holds again. */
const DEFAULT = 'default';

type Limit = number | typeof DEFAULT;

/** Limits as the command line gives them; what is absent stays as it is. */
export interface LimitOptions {
  readonly requests?: Limit;
  readonly locations?: Limit;
  readonly bytes?: Limit;
  readonly deviceRequests?: Limit;
}

const OPTION_OF: Readonly<Record<LimitName, keyof LimitOptions>> = {
  'client': 'requests', 'client-locations': 'locations', 'client-bytes': 'bytes',
  'device': 'deviceRequests',
};

/** Declares an option for each limit. */
export function limitOptions(command: Command): Command {
  return command
    .option('--requests <n>', 'calls per second, or "default"', limitFrom)
    .option('--locations <n>', 'locations per second, or "default"', limitFrom)
    .option('--bytes <n>', 'bytes of bodies per second, or "default"', limitFrom)
    .option('--device-requests <n>', 'calls per second of each device, or "default"', limitFrom);
}

/** The limits of a client after a change; undefined when none is named. */
export function changedLimits(
  { limits = {} }: ClientRecorded, options: LimitOptions,
): ClientLimits | undefined {
  const asked = LIMIT_NAMES.filter((name) => options[OPTION_OF[name]] !== undefined);
  if (asked.length === 0) return undefined;
  const next = new Map(Object.entries(limits) as [keyof ClientLimits, number][]);
  for (const name of asked) {
    const value = options[OPTION_OF[name]];
    if (typeof value === 'number') next.set(LIMIT_MEMBERS[name], value);
    else next.delete(LIMIT_MEMBERS[name]);
  }
  return Object.fromEntries(next);
}

/** Each limit as a line: the client's own, or that the deployment's holds. */
export function limitLines({ limits = {} }: Pick<ClientRecorded, 'limits'>): readonly string[] {
  return LIMIT_NAMES.map((name) => {
    const member = LIMIT_MEMBERS[name];
    return `${member.padEnd(28)}${limits[member] ?? 'default'}`;
  });
}

function limitFrom(text: string): Limit {
  return text === DEFAULT ? DEFAULT : wholeFrom(1, PER_SECOND_MAX)(text);
}
