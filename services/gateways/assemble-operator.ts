import product from '../../package.json' with { type: 'json' };
import type { KafkaLog } from '../adapters/kafka/open.ts';
import { createLogWatch } from '../adapters/kafka/log-watch.ts';
import { sha256 } from '../adapters/secrets/secrets.ts';
import type { DeviceDirectory } from '../kernel/devices.ts';
import type { FoldCheckpoints } from '../kernel/fold-checkpoints.ts';
import type { Operation } from '../kernel/http.ts';
import type { Signals } from '../kernel/signals.ts';
import { createOpenDeadLetterLog } from '../operator/dead-letters/open-log.ts';
import type { OverflowSource } from '../operator/overflow/overflow-now.ts';
import { groupOf } from '../workers/workers.ts';
import type { GatewayRoom } from './gateways.ts';
import { isKnownProvider, type KnownProviderPorts } from './operator/known-provider.ts';
import { decideOverflow, type DecideOverflowPorts } from './operator/operations/decide-overflow.ts';
import { listDeadLetters } from './operator/operations/list-dead-letters.ts';
import { listOverflow } from './operator/operations/list-overflow.ts';
import {
  replayDeadLetters, type ReplayDeadLettersPorts,
} from './operator/operations/replay-dead-letters.ts';
import { showReplay } from './operator/operations/show-replay.ts';
import type { DeadLetterSource } from './operator/planned-replay.ts';

/** What a gateway holds: open ones without their values, and records behind the checkpoint. */
const LIMITS = { openMax: 50_000, tailMax: 200_000 };

/** What reading dead letters takes. */
interface SourceParts {
  readonly kafka: Pick<KafkaLog, 'admin' | 'rangeReader'>;
  readonly folds: FoldCheckpoints;
  readonly signals: Signals;
}

/** Where a process that has the room `operator` reads dead letters: from the log, when asked. */
export function openDeadLetterSource(
  rooms: readonly GatewayRoom[], { kafka, folds, signals }: SourceParts,
): DeadLetterSource | undefined {
  if (!rooms.includes('operator')) return undefined;
  const source = {
    watch: createLogWatch(kafka.admin), rangeReader: kafka.rangeReader,
    topicIds: (topics: readonly string[]) => kafka.admin.topicIds(topics),
  };
  return {
    ...source,
    open: createOpenDeadLetterLog({ ...source, folds, signals, digest: sha256 }, LIMITS),
  };
}

/** The operations of operators over dead letters. */
export function operatorOperations(
  source: DeadLetterSource, ports: Omit<ReplayDeadLettersPorts, 'source' | 'codeVersion'>,
): readonly Operation[] {
  return [
    listDeadLetters(source), showReplay(source),
    replayDeadLetters({ ...ports, source, codeVersion: product.version }),
  ];
}

/** Where a process that has the room `operator` reads which devices and providers overflow. */
export function openOverflowSource(
  rooms: readonly GatewayRoom[], { kafka }: Pick<SourceParts, 'kafka'>,
): OverflowSource | undefined {
  if (!rooms.includes('operator')) return undefined;
  return { watch: createLogWatch(kafka.admin), rangeReader: kafka.rangeReader };
}

/** Which devices there are, and which providers. */
interface KnownPorts extends KnownProviderPorts {
  readonly directory: Pick<DeviceDirectory, 'find' | 'clientsOf'>;
}

/** The operations of operators over the overflow topic. */
export function overflowOperations(
  source: OverflowSource, known: KnownPorts,
  ports: Omit<DecideOverflowPorts, 'source' | 'isDevice' | 'isProvider'>,
): readonly Operation[] {
  return [
    listOverflow({ source, clock: ports.clock, group: groupOf('table-writer.overflow') }),
    decideOverflow({
      ...ports, source,
      isDevice: async (id) => await known.directory.find(id) !== undefined,
      isProvider: (provider) => isKnownProvider(known, provider),
    }),
  ];
}
