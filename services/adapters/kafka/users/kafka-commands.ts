import type { Grant } from '../grants.ts';
import { OPERATION_NAMES } from './kafka-user.ts';

const SERVER = '--bootstrap-server "$KAFKA_BROKERS" --command-config admin.properties';

/**
 * What an administrator of other brokers than Strimzi's runs: Kafka's own scripts, with the
 * password from the environment, so that it is in no history of a shell.
 */
export function kafkaCommands(name: string, grants: readonly Grant[]): readonly string[] {
  return [
    `kafka-configs.sh ${SERVER} --alter --entity-type users --entity-name ${name}`
    + ' --add-config "SCRAM-SHA-512=[password=$CONSUMER_PASSWORD]"',
    ...grants.map(({ topic, groupsFrom, may }) => {
      const thing = topic === undefined
        ? `--group ${groupsFrom ?? ''} --resource-pattern-type prefixed`
        : `--topic ${topic}`;
      const operations = may.map((each) => `--operation ${OPERATION_NAMES[each]}`).join(' ');
      return `kafka-acls.sh ${SERVER} --add --allow-principal User:${name} ${operations} ${thing}`;
    }),
  ];
}
