import product from '../../package.json' with { type: 'json' };
import type { KafkaLog } from '../adapters/kafka/open.ts';
import { createLogWatch } from '../adapters/kafka/log-watch.ts';
import { sha256 } from '../adapters/secrets/secrets.ts';
import type { FoldCheckpoints } from '../kernel/fold-checkpoints.ts';
import type { Operation } from '../kernel/http.ts';
import type { Signals } from '../kernel/signals.ts';
import { createOpenDeadLetterLog } from '../operator/dead-letters/open-log.ts';
import type { GatewayRoom } from './gateways.ts';
import { listDeadLetters } from './operator/operations/list-dead-letters.ts';
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
