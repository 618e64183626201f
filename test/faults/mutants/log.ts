import type { Mutant } from './mutant.ts';

/** Mistakes about writing to the log and reading it. */
export const LOG_MUTANTS: readonly Mutant[] = [
  {
    name: 'acks-one',
    why: 'The leader has it, so it is safe; waiting for the followers only costs time.',
    breaks: ['I1'],
    scenario: 'followers-stalled',
    patches: [
      {
        file: 'services/adapters/kafka/clients/produce-request.ts',
        find: 'const ALL_REPLICAS = -1;', replace: 'const ALL_REPLICAS = 1;',
      },
      {
        file: 'services/adapters/kafka/clients/platformatic-sender.ts',
        find: '      idempotent: true,\n      maxInflights: 1,',
        replace: '      idempotent: false,\n      maxInflights: 1,',
      },
      {
        file: 'services/adapters/kafka/clients/platformatic-sender.ts',
        find: '        acks: library.ProduceAcks.ALL,\n        idempotent: true,',
        replace: '        acks: library.ProduceAcks.LEADER,\n        idempotent: false,',
      },
    ],
  },
  {
    name: 'answer-before-ack',
    why: 'The client will send it anyway, so the caller need not wait for the answer.',
    breaks: ['I1'],
    scenario: 'sends-killed',
    patches: [{
      file: 'services/adapters/kafka/append/record-log.ts',
      find: '    queue.append({ record, deadlineMs, arrivedMs, resolve, reject });',
      replace: `    queue.append({ record, deadlineMs, arrivedMs, resolve: () => undefined, reject });
    resolve();`,
    }],
  },
  {
    name: 'timeout-is-success',
    why: 'Most timeouts reach the log after all, so a 500 would only make clients repeat.',
    breaks: ['I1'],
    scenario: 'log-away',
    patches: [
      {
        file: 'services/adapters/kafka/append/partition-queue.ts',
        find: '      waiter.reject(new Unavailable(\'log_timeout\', \'append\', `${topic}: ${why}, outcome unknown`));',
        replace: '      waiter.resolve();',
      },
      {
        file: 'services/adapters/kafka/append/partition-queue.ts',
        find: '      waiter.reject(new Unavailable(\'log_unavailable\', \'append\', `${topic}: ${why}, never sent`));',
        replace: '      waiter.resolve();',
      },
      {
        // Few clients make a crowd in one partition: what waits behind a batch was never sent.
        file: 'services/adapters/kafka/append/record-log.ts',
        find: 'partitionOf(record.key, spec.partitions)',
        replace: 'partitionOf(record.key, 1)',
      },
    ],
  },
  {
    name: 'overlapping-sends',
    why: 'An idempotent producer keeps order and number, so sends may overlap.',
    breaks: ['I1'],
    scenario: 'acknowledgements-cut',
    patches: [
      {
        file: 'services/process/open-log.ts',
        find: '  const client = KAFKA_CLIENTS.find((name) => name === config.RASTRO_KAFKA_CLIENT);',
        replace: "  const client = KAFKA_CLIENTS.find((name) => name === 'kafkajs');",
      },
      {
        file: 'services/adapters/kafka/append/partition-queue.ts',
        find: `    const failure = await deliver(inFlight.map((waiter) => waiter.record));
    const sent = inFlight;
    inFlight = [];
    schedule();
    answer(sent, failure);`,
        replace: `    const sent = inFlight;
    inFlight = [];
    schedule();
    answer(sent, await deliver(sent.map((waiter) => waiter.record)));`,
      },
      {
        // Few clients make a crowd in one partition.
        file: 'services/adapters/kafka/append/record-log.ts',
        find: 'partitionOf(record.key, spec.partitions)',
        replace: 'partitionOf(record.key, 1)',
      },
    ],
  },
  {
    name: 'wrong-partition-key',
    why: 'The Ingest-Id spreads the load better than the device.',
    breaks: ['I9', 'I1'],
    scenario: 'calm',
    patches: [{
      file: 'services/gateways/georeceiver/append-post.ts',
      find: '  await ports.log.append({ topic, key, value, headers }, call.deadlineMs);',
      replace: '  await ports.log.append({ topic, key: ingestId, value, headers }, call.deadlineMs);',
    }],
  },
  {
    name: 'commit-before-insert',
    why: 'Committing first saves reading a batch twice after a crash.',
    breaks: ['I1', 'I9'],
    scenario: 'inserts-killed',
    patches: [{
      file: 'services/adapters/kafka/consume/batch-loop.ts',
      find: '      const commits = await handleUntilDone(records, leave);',
      replace: `      await commit(furthest(records.map(({ topic, partition, offset }) => (
        { topic, partition, nextOffset: offset + 1n }
      ))));
      const commits = await handleUntilDone(records, leave);`,
    }],
  },
  {
    name: 'dead-letter-on-outage',
    why: 'What the store does not take goes to the dead letters; an operator will read them.',
    breaks: ['I1'],
    scenario: 'tables-killed',
    patches: [
      {
        file: 'services/adapters/clickhouse/insert.ts',
        find: `    throw new Unavailable('sink_unavailable', 'insert', 'the store could not be reached', error);`,
        replace: `    return { kind: 'rejected', line: undefined, detail: 'not reached' };`,
      },
    ],
  },
  {
    name: 'no-place-guard',
    why: 'The log delivers each notification once, so no check is needed whether it has an outcome.',
    breaks: ['I9', 'I8', 'I1'],
    scenario: 'judgements-killed',
    patches: [{
      file: 'services/workers/journey/classify-notifications.ts',
      find: '    if (journey !== undefined && isKnown(journey, notification.notification)) continue;',
      replace: '    void isKnown;',
    }],
  },
];
