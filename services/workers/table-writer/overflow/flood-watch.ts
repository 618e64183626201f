import { decideFlood, type FloodWindow } from '../../../domain/overflow/flood.ts';
import { isMoved } from '../../../domain/overflow/provider-overflow.ts';
import type { Clock } from '../../../kernel/clock.ts';
import { overflowKeyOf, type Overflow, type OverflowRecorded } from '../../../kernel/overflow.ts';
import { isDecoded, type RecordLog, type TopicPartition } from '../../../kernel/record-log.ts';
import type { Signals } from '../../../kernel/signals.ts';
import type { ConsumedRecord } from '../../common/outcomes.ts';
import type { FloodConfig } from './config.ts';
import type { OverflowKeys } from './overflow-keys.ts';

/** What deciding about floods takes. */
export interface FloodPorts {
  readonly keys: Pick<OverflowKeys, 'decided' | 'refresh'>;
  readonly log: RecordLog;
  /** Whether a worker reads the overflow topic: without one nothing may be moved there. */
  readonly isOverflowRead: () => Promise<boolean>;
  readonly clock: Clock;
  readonly signals: Signals;
}

/** Counts what one writer handles, and moves a provider that floods into overflow. */
export interface FloodWatch {
  /** Begins again: what waited before is no fault of a provider. */
  begin(partitions: readonly TopicPartition[]): void;
  /** Records could not be handled: until now this writer did not work. */
  failed(): void;
  /** Records are handled; decides at the end of a window. */
  handled(records: readonly ConsumedRecord[]): Promise<void>;
  /** This writer reports no provider any more. */
  end(): void;
}

/**
 * Counts the fixes of each provider in windows, lets {@link decideFlood} decide, and appends what
 * it decided. A decision that cannot be appended, or that moves a provider to where no worker
 * reads, is made again with the next window.
 */
export function createFloodWatch(config: FloodConfig, ports: FloodPorts): FloodWatch {
  const { keys, clock } = ports;
  const report = createReport(ports);
  let partitions = 0;
  let workingSinceMs = 0;
  let sinceMs = 0;
  let lateMs = 0;
  let fixes = new Map<string, number>();
  const seenMs = new Map<string, number>();

  function beginWindow(nowMs: number): void {
    sinceMs = nowMs;
    lateMs = 0;
    fixes = new Map();
  }

  function count(records: readonly ConsumedRecord[], nowMs: number): void {
    for (const record of records) {
      if (record.topic !== config.origin || !isDecoded(record)) continue;
      const { provider, n } = record.headers;
      if (provider === undefined) continue;
      fixes.set(provider, (fixes.get(provider) ?? 0) + (Number(n) || 1));
      seenMs.set(provider, nowMs);
      lateMs = Math.max(lateMs, nowMs - Math.max(record.timestampMs, workingSinceMs));
    }
  }

  function windowAt(nowMs: number): FloodWindow {
    for (const [provider, at] of seenMs) {
      if (nowMs - at > config.othersMs) seenMs.delete(provider);
    }
    return {
      fixes, lateMs, partitions, seconds: (nowMs - sinceMs) / 1_000,
      hasOthers: (provider) => seenMs.size > (seenMs.has(provider) ? 1 : 0),
    };
  }

  return {
    begin(assigned) {
      partitions = assigned.filter(({ topic }) => topic === config.origin).length;
      workingSinceMs = clock.nowMs();
      beginWindow(workingSinceMs);
    },

    failed() {
      workingSinceMs = clock.nowMs();
    },

    async handled(records) {
      const nowMs = clock.nowMs();
      count(records, nowMs);
      if (nowMs - sinceMs >= config.windowMs) {
        const decision = decideFlood(config, windowAt(nowMs), keys.decided(), nowMs);
        beginWindow(nowMs);
        if (decision.kind === 'happened') {
          for (const fact of decision.events) await move(config, ports, fact);
        }
      }
      report(keys.decided());
    },

    end() {
      report({ providers: new Map() });
    },
  };
}

/** Appends a decision and follows it at once; other writers do within seconds. */
async function move(
  { decisions, appendMsMax }: FloodConfig,
  { keys, log, isOverflowRead, clock, signals }: FloodPorts,
  fact: OverflowRecorded,
): Promise<void> {
  const provider = fact.provider ?? '';
  const isNew = !isMoved(keys.decided().providers.get(provider) ?? {}, fact.at_ms);
  try {
    if (isNew && !await isOverflowRead()) {
      signals.floodUndecided({ provider, reason: 'no worker reads the overflow topic' });
      return;
    }
    await log.append({
      topic: decisions, key: overflowKeyOf(fact), value: Buffer.from(JSON.stringify(fact)),
      headers: { 'received-at': String(fact.at_ms) },
    }, clock.nowMs() + appendMsMax);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    signals.floodUndecided({ provider, reason });
    return;
  }
  const seconds = Math.round(((fact.ends_at_ms ?? fact.at_ms) - fact.at_ms) / 1_000);
  signals.providerMoved({ provider, seconds, outcome: isNew ? 'moved' : 'renewed' });
  await keys.refresh();
}

/** Sets the gauge of each provider that was ever reported, so that it falls again. */
function createReport(
  { clock, signals }: FloodPorts,
): (overflow: Pick<Overflow, 'providers'>) => void {
  const reported = new Map<string, 0 | 1>();
  return ({ providers }) => {
    const nowMs = clock.nowMs();
    for (const provider of new Set([...reported.keys(), ...providers.keys()])) {
      const moved = isMoved(providers.get(provider) ?? {}, nowMs) ? 1 : 0;
      if ((reported.get(provider) ?? 0) === moved) continue;
      reported.set(provider, moved);
      signals.movedProviderRead({ provider, moved });
    }
  };
}
