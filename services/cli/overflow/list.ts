import { TOPICS } from '../../../schemas/generated/catalog.ts';
import { holdingDecision } from '../../domain/overflow/provider-overflow.ts';
import type { Overflow } from '../../kernel/overflow.ts';
import { readOverflow } from '../../kernel/read-overflow.ts';
import { byAge, waitingRecords } from '../../operator/overflow/overflow-now.ts';
import { groupOf } from '../../workers/workers.ts';
import { isoOf } from '../inspect/facts.ts';
import type { OperatorPorts, Report } from '../ports.ts';
import { tableOf, timeOf } from '../print/lines.ts';

/** What listing takes. */
export type ListPorts = Pick<OperatorPorts, 'reader' | 'watch' | 'clock'>;

/** The devices and providers in overflow, and how many of their records wait. */
export async function listOverflow(ports: ListPorts, all: boolean): Promise<Report> {
  const decided = await readOverflow(ports.reader, TOPICS.overflow.name);
  const devices = [...decided.devices.values()]
    .filter(({ state }) => all || state === 'in')
    .sort(byAge)
    .map(({ device_id, state, reason, at_ms }) => (
      { device_id: device_id ?? '', state, since: isoOf(at_ms), reason: reason ?? '' }
    ));
  const providers = providersOf(decided, ports.clock.nowMs(), all);
  const waiting = await waitingRecords(ports, groupOf('table-writer.overflow'));
  return {
    value: { devices, providers, waiting },
    lines: [
      ...(devices.length === 0 ? ['No device is in overflow.'] : tableOf(
        ['DEVICE', 'STATE', 'SINCE', 'REASON'],
        devices.map((each) => [
          each.device_id, each.state, timeOf(each.since), each.reason,
        ]),
      )),
      ...(providers.length === 0 ? [] : tableOf(
        ['PROVIDER', 'STATE', 'BY', 'SINCE', 'UNTIL', 'REASON'],
        providers.map((each) => [
          each.provider, each.state, each.by, timeOf(each.since),
          each.until === null ? '-' : timeOf(each.until), each.reason,
        ]),
      )),
      `${waiting} records wait in the overflow topic.`,
    ],
    exitCode: 0,
  };
}

/** Decisions that hold; what an operator forbade to the writers is one of them. */
function providersOf({ providers }: Overflow, nowMs: number, all: boolean) {
  return [...providers].flatMap(([provider, decisions]) => {
    const holding = holdingDecision(decisions, nowMs);
    const shown = holding ?? (all ? decisions.operator ?? decisions.writer : undefined);
    if (shown === undefined) return [];
    const { by = 'operator', reason = '', at_ms, ends_at_ms: endsMs } = shown;
    return [{
      provider, state: holding === undefined ? 'ended' : shown.state, by, since: isoOf(at_ms),
      until: endsMs === undefined ? null : isoOf(endsMs), reason,
    }];
  }).toSorted((a, b) => (a.provider < b.provider ? -1 : 1));
}
