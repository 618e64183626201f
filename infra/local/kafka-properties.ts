/** One KRaft node: broker and controller in one process, all on 127.0.0.1. */
export type KafkaNode = {
  readonly nodeId: number;
  readonly port: number;
  readonly controllerPort: number;
  /** Further listeners, each advertised with another port: that of a proxy before it. */
  readonly ways?: readonly KafkaWay[];
  /** A listener at which users log in; all other listeners are then open to the launcher alone. */
  readonly logins?: KafkaLogins;
};

/**
 * Who may log in where: these by PLAIN, and by SCRAM-SHA-512 the users that are made while the
 * broker runs. What they may do is granted by `scripts/topics.ts` from the catalog.
 */
export type KafkaLogins = {
  readonly port: number;
  readonly passwords: Readonly<Record<string, string>>;
};

/** A listener that clients reach only through a proxy of this machine. */
export type KafkaWay = {
  /** In upper case. */
  readonly name: string;
  readonly port: number;
  readonly advertisedPort: number;
};

/**
 * The settings of one node of a cluster, as server.properties. The voters are static so that the
 * ports are not part of the data: the same directory starts again on other ports.
 */
export function kafkaProperties(
  node: KafkaNode,
  cluster: readonly KafkaNode[],
  logDir: string,
): string {
  const copies = Math.min(3, cluster.length);
  const copiesInSync = Math.max(1, copies - 1);
  const voters = cluster.map((voter) => `${voter.nodeId}@127.0.0.1:${voter.controllerPort}`);
  const own = [
    `PLAINTEXT://127.0.0.1:${node.port}`,
    `CONTROLLER://127.0.0.1:${node.controllerPort}`,
  ];
  const ways = node.ways ?? [];
  if (node.logins !== undefined) own.push(`USERS://127.0.0.1:${node.logins.port}`);
  const listeners = [...own, ...ways.map(({ name, port }) => `${name}://127.0.0.1:${port}`)];
  const advertised = [
    ...own, ...ways.map(({ name, advertisedPort }) => `${name}://127.0.0.1:${advertisedPort}`),
  ];
  const protocols = ['CONTROLLER', 'PLAINTEXT', ...ways.map(({ name }) => name)];
  const settings: Record<string, string | number | boolean> = {
    'process.roles': 'broker,controller',
    'node.id': node.nodeId,
    'controller.quorum.voters': voters.join(','),
    listeners: listeners.join(','),
    'advertised.listeners': advertised.join(','),
    'controller.listener.names': 'CONTROLLER',
    'inter.broker.listener.name': 'PLAINTEXT',
    'listener.security.protocol.map': [
      ...protocols.map((name) => `${name}:PLAINTEXT`), 'USERS:SASL_PLAINTEXT',
    ].join(','),
    ...(node.logins === undefined ? {} : loginSettings(node.logins)),
    'log.dirs': logDir,
    // Small: few threads, 16 MB for the cleaner instead of 128 MB.
    'num.network.threads': 2,
    'num.io.threads': 4,
    'log.cleaner.dedupe.buffer.size': 16_777_216,
    // Topics exist only because scripts/topics.ts made them from the catalog.
    'auto.create.topics.enable': false,
    'unclean.leader.election.enable': false,
    'default.replication.factor': copies,
    'min.insync.replicas': copiesInSync,
    'group.initial.rebalance.delay.ms': 0,
    // After kill -9 the old session must expire first: ready in 4 s instead of 11 s.
    'broker.session.timeout.ms': 2_000,
    'broker.heartbeat.interval.ms': 500,
    // KIP-848 groups have their session in the broker; 45 s by default is too slow for tests.
    'group.consumer.min.session.timeout.ms': 6_000,
    'group.consumer.session.timeout.ms': 6_000,
    'group.consumer.min.heartbeat.interval.ms': 1_000,
    'group.consumer.heartbeat.interval.ms': 1_000,
    'offsets.topic.replication.factor': copies,
    'offsets.topic.num.partitions': 4,
    'transaction.state.log.replication.factor': copies,
    'transaction.state.log.min.isr': copiesInSync,
    'transaction.state.log.num.partitions': 4,
    'share.coordinator.state.topic.replication.factor': copies,
    'share.coordinator.state.topic.min.isr': copiesInSync,
    'share.coordinator.state.topic.num.partitions': 1,
  };
  return Object.entries(settings)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}

/** A user that logs in may do only what was granted; the launcher, which does not, may do all. */
function loginSettings({ passwords }: KafkaLogins): Record<string, string> {
  const users = Object.entries(passwords).map(([name, password]) => ` user_${name}="${password}"`);
  return {
    'sasl.enabled.mechanisms': 'PLAIN,SCRAM-SHA-512',
    'listener.name.users.plain.sasl.jaas.config':
      `org.apache.kafka.common.security.plain.PlainLoginModule required${users.join('')};`,
    'listener.name.users.scram-sha-512.sasl.jaas.config':
      'org.apache.kafka.common.security.scram.ScramLoginModule required;',
    'authorizer.class.name': 'org.apache.kafka.metadata.authorizer.StandardAuthorizer',
    'super.users': 'User:ANONYMOUS',
    'allow.everyone.if.no.acl.found': 'false',
  };
}
