import type { Mutant } from './mutant.ts';

/** Mistakes about rows, commands, restarts and secrets. */
export const OTHER_MUTANTS: readonly Mutant[] = [
  {
    name: 'duplicates-are-stored',
    why: 'The content of a duplicate is stored, and that is what a sender wants to know.',
    breaks: ['I21'],
    scenario: 'receipts',
    patches: [{
      file: 'services/gateways/query/ingest-resource.ts',
      find: '    [name, sum((record) => record.outcomes[name as keyof ItemOutcomes])]',
      replace: `    [name, sum(({ outcomes: each }) => (
      each[name as keyof ItemOutcomes] + (name === 'stored' ? each.duplicate : 0)))]`,
    }],
  },
  {
    name: 'identity-without-content',
    why: 'A device has one position at a time, so device and second name a row.',
    breaks: ['I1'],
    scenario: 'calm',
    patches: [{
      file: 'infra/clickhouse/0001_locations.sql',
      find: `ORDER BY (toDate(ts), device_id, ts, lat_e7, lon_e7, country_id, altitude, accuracy, bearing,
          bearing_accuracy, speed, ignition, odometer, content_hash)`,
      replace: 'ORDER BY (toDate(ts), device_id, ts)',
    }],
  },
  {
    name: 'batch-not-remembered',
    why: 'A batch that is read again after a crash is the same batch, and readers want speed.',
    breaks: ['I1'],
    scenario: 'worker-killed',
    patches: [
      {
        file: 'services/workers/table-writer/pipeline.ts',
        find: `    if (chain.isNew) await stage('remember', () => ports.pending.store(chain.pending));`,
        replace: '',
      },
      {
        // The second net: without it a row that is stored twice stays and is seen twice.
        file: 'infra/clickhouse/0001_locations.sql',
        find: `ENGINE = ReplacingMergeTree(k_rank)
PARTITION BY if(is_late, 0, toYYYYMMDD(ts))
PRIMARY KEY (toDate(ts), device_id)
ORDER BY (toDate(ts), device_id, ts, lat_e7, lon_e7, country_id, altitude,`,
        replace: `ENGINE = MergeTree
PARTITION BY if(is_late, 0, toYYYYMMDD(ts))
PRIMARY KEY (toDate(ts), device_id)
ORDER BY (toDate(ts), device_id, ts, lat_e7, lon_e7, country_id, altitude,`,
      },
      {
        file: 'infra/clickhouse/0003_location_views.sql',
        find: `   FROM locations FINAL
   SETTINGS do_not_merge_across_partitions_select_final = 0,
            defer_partition_pruning_after_final = 0, optimize_move_to_prewhere_if_final = 1`,
        replace: '   FROM locations',
      },
      // A table of another kind cannot be read so.
      ...['0012_ingest_outcomes', '0025_provider_days'].map((name) => ({
        file: `infra/clickhouse/${name}.sql`,
        find: 'FROM locations FINAL',
        replace: 'FROM locations',
      })),
    ],
  },
  {
    name: 'retry-of-a-refusal',
    why: 'A provider that refuses may think better of it.',
    breaks: ['I10'],
    scenario: 'calm',
    patches: [{
      file: 'services/domain/monitoring/attempt.ts',
      find: `  if (status >= 400 && status < 500) return { step: 'end', outcome: 'refused' };`,
      replace: `  if (status >= 400 && status < 500) return backOff('answered', state, config);`,
    }],
  },
  {
    name: 'commands-side-by-side',
    why: 'Commands are independent of each other, so they need not wait for each other.',
    breaks: ['I10'],
    scenario: 'party-fails',
    patches: [
      {
        file: 'services/workers/parties/commands/schedule.ts',
        find: '    queueOf(providerOf(event.provider), event.command_key);',
        replace: '    queueOf(providerOf(event.provider), event.command_id);',
      },
      {
        file: 'services/workers/parties/commands/schedule.ts',
        find: '        const current = queueOf(provider, event.command_key);',
        replace: '        const current = queueOf(provider, event.command_id);',
      },
    ],
  },
  {
    name: 'number-by-the-clock',
    why: 'A tracking number with the time in it is unique, whatever other clients authorize.',
    breaks: ['I11'],
    scenario: 'calm',
    patches: [
      {
        file: 'services/gateways/authorization/operations/authorize-shipment.ts',
        find: '      transportOrderId: request.transport_order_id,\n      epoch: nextEpochOf(state),',
        replace: `      transportOrderId: request.transport_order_id + String(process.hrtime.bigint()),
      epoch: nextEpochOf(state),`,
      },
      {
        // The second net: without it two callers at once make two numbers.
        file: 'services/domain/authorization/projection.ts',
        find: `  return claim !== undefined && claim.id !== claimId && claim.until_ms > nowMs;`,
        replace: `  return claim !== undefined && claimId === '' && nowMs < 0;`,
      },
      {
        // The third: without it the second caller has the number of the first.
        file: 'services/domain/authorization/projection.ts',
        find: 'const { at_ms, test, tracking_number } = marks.stage === to ? marks : claim.marks;',
        replace: 'const { at_ms, test, tracking_number } = claim.marks;',
      },
    ],
  },
  {
    name: 'secret-in-a-log',
    why: 'To see why a client cannot get in, its credentials must be in the log.',
    breaks: ['I15'],
    scenario: 'calm',
    patches: [{
      file: 'services/gateways/oauth/credentials.ts',
      find: `  const colon = text.indexOf(':');`,
      replace: `  process.stdout.write(\`credentials \${text}\\n\`);
  const colon = text.indexOf(':');`,
    }],
  },
  {
    name: 'no-drain',
    why: 'Clients repeat what is cut, so a process may end at once.',
    breaks: ['I17'],
    scenario: 'restart-under-way',
    patches: [{
      file: 'services/adapters/system/lifecycle.ts',
      find: `process.on(signal, () => { resolve(); });`,
      replace: `process.on(signal, () => { resolve(); process.exit(0); });`,
    }],
  },
  {
    name: 'outage-ends-the-process',
    why: 'What cannot do its work ends, and the orchestrator starts it again.',
    breaks: ['I18'],
    scenario: 'tables-refused',
    patches: [{
      file: 'services/adapters/kafka/consume/batch-loop.ts',
      find: `        if (!isUnavailable(error) || !error.retryable) throw error;`,
      replace: `        if (!isUnavailable(error) || error.retryable) throw error;`,
    }],
  },
  {
    name: 'registry-not-awaited',
    why: 'A process without schemas is no use, so it ends and is started again.',
    breaks: ['I18'],
    scenario: 'registry-down',
    patches: [{
      file: 'services/adapters/registry/schemas.ts',
      find: `        if (!isUnavailable(error) || clock.nowMs() + BOOT_WAIT_MS >= deadlineMs) throw error;`,
      replace: `        if (clock.nowMs() + BOOT_WAIT_MS >= 0) throw error;`,
    }],
  },
  {
    name: 'party-without-a-limit',
    why: 'A party answers or breaks the line: a call to it ends without a limit of ours.',
    breaks: ['I16', 'I10'],
    scenario: 'party-away',
    patches: [{
      file: 'services/adapters/outbound/outbound.ts',
      find: `        signal: late,\n`,
      replace: '',
    }],
  },
];
