import { consumerGrants } from '../../adapters/kafka/users/consumer-grants.ts';
import { kafkaCommands } from '../../adapters/kafka/users/kafka-commands.ts';
import { kafkaUser } from '../../adapters/kafka/users/kafka-user.ts';
import type { ConsumerUserPorts } from './command.ts';

/** Nothing is opened: what is printed is for an administrator to run. */
export const CONSUMER_PORTS: ConsumerUserPorts = {
  manifestOf: (name, topics) => kafkaUser(name, consumerGrants(name, topics)),
  commandsOf: (name, topics) => kafkaCommands(name, consumerGrants(name, topics)),
};
