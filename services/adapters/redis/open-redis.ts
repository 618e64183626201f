import type { TokenLimits } from '../../kernel/access.ts';
import type { AdmissionReader } from '../../kernel/admission.ts';
import type { Checkpoints } from '../../kernel/checkpoints.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { DefectCounts } from '../../kernel/defect-counts.ts';
import type { Digest } from '../../kernel/digest.ts';
import type { FoldCheckpoints } from '../../kernel/fold-checkpoints.ts';
import type { LastFixes } from '../../kernel/fixes.ts';
import type { LimitUse } from '../../kernel/limit-use.ts';
import type { RefusalStore } from '../../kernel/refusals.ts';
import type { Readiness } from '../../kernel/readiness.ts';
import type { PendingInserts } from '../../kernel/row-sink.ts';
import type { Signals } from '../../kernel/signals.ts';
import type { StateStore } from '../../kernel/state-store.ts';
import type { StateUpkeep } from '../../kernel/state-upkeep.ts';
import type { TakenCallStore } from '../../kernel/taken-calls.ts';
import type { TenantLimits } from '../../kernel/tenant-limits.ts';
import type { TraceableFixes } from '../../kernel/traceables.ts';
import { createAdmissionReader } from './admission.ts';
import { createCheckpoints } from './checkpoints.ts';
import type { RedisConfig } from './config.ts';
import { connect } from './connection.ts';
import { createIncarnation } from './incarnation.ts';
import { sha256Hex } from './keys.ts';
import { createDefectCounts } from './defect-counts.ts';
import { createPendingInserts } from './pending-inserts.ts';
import { createFoldCheckpoints } from './fold-checkpoints.ts';
import { createLimitUse } from './limit-use.ts';
import { createLastFixes } from './last-fixes.ts';
import { createReadiness } from './readiness.ts';
import { createRefusalStore } from './refusals.ts';
import { createScriptRunner } from './script-runner.ts';
import { createStateStore } from './state-store.ts';
import { createTakenCallStore } from './taken-calls.ts';
import { createTenantLimits } from './tenant-limits.ts';
import { createTokenLimits } from './token-limits.ts';
import { createTraceableFixes } from './traceables.ts';
import { createStateUpkeep } from './upkeep.ts';

/** What Redis serves over one connection: the store of entries, and what has scripts of its own. */
export interface RedisStates {
  readonly store: StateStore;
  /** Names of fixed length for what must not be in a key. */
  readonly digest: Digest;
  readonly admission: AdmissionReader;
  readonly tokenLimits: TokenLimits;
  readonly tenantLimits: TenantLimits;
  readonly limitUse: LimitUse;
  readonly lastFixes: LastFixes;
  readonly traceables: TraceableFixes;
  readonly readiness: Readiness;
  readonly checkpoints: Checkpoints;
  readonly folds: FoldCheckpoints;
  readonly upkeep: StateUpkeep;
  readonly refusals: RefusalStore;
  readonly taken: TakenCallStore;
  /** Batches in progress of one consumer group. */
  readonly pendingInsertsOf: (group: string) => PendingInserts;
  /** Records at which the process of one worker ended. */
  readonly defectsOf: (worker: string) => DefectCounts;
  /** Ends the connection; calls still in progress reject with `Unavailable` `state_unavailable`. */
  readonly close: () => Promise<void>;
}

/**
 * Connects and waits until Redis can be used. Rejects with `Unavailable` `state_unavailable` when
 * it cannot within `bootMsMax`, or when the server may evict keys on its own.
 */
export async function openRedis(
  config: RedisConfig, ports: { readonly signals: Signals; readonly clock: Clock },
): Promise<RedisStates> {
  const client = await connect(config, ports.signals);
  const incarnation = createIncarnation(client, ports);
  const runScript = createScriptRunner(client, incarnation, ports);
  return {
    store: createStateStore(config, runScript),
    digest: sha256Hex,
    admission: createAdmissionReader(config, runScript, ports.signals, ports.clock),
    tokenLimits: createTokenLimits(config, runScript),
    tenantLimits: createTenantLimits(runScript),
    limitUse: createLimitUse(runScript),
    lastFixes: createLastFixes(config, incarnation, runScript),
    traceables: createTraceableFixes(config, runScript),
    readiness: createReadiness(config, incarnation, runScript),
    checkpoints: createCheckpoints(config, client, runScript),
    folds: createFoldCheckpoints(client),
    upkeep: createStateUpkeep(client, ports),
    refusals: createRefusalStore(client, runScript, ports.clock),
    taken: createTakenCallStore(client, runScript),
    pendingInsertsOf: (group) => createPendingInserts(client, runScript, group),
    defectsOf: (worker) => createDefectCounts(client, worker),
    close: async () => {
      client.disconnect();
    },
  };
}
