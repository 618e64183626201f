import { example, repeated } from '../../adapters/command-line/command-line.ts';
import { TOPICS } from '../../../schemas/generated/catalog.ts';
import { DONE, misuse, noun } from '../noun.ts';
import type { Report } from '../ports.ts';
import { tableOf } from '../print/lines.ts';

/** How a user of the brokers is written down for those who make it. */
export interface ConsumerUserPorts {
  /** A manifest for Strimzi's operator. */
  readonly manifestOf: (name: string, topics: readonly string[]) => unknown;
  /** Commands of Kafka's own scripts. */
  readonly commandsOf: (name: string, topics: readonly string[]) => readonly string[];
}

interface AddWords {
  readonly topic: readonly string[];
  readonly as: string;
}

/**
 * Users of brokers are named in manifests, so that a name must be one there. Groups of the platform
 * begin with `rastro`: a consumer of that name could take the place of its workers.
 */
const NAME = /^(?!rastro)[a-z]([a-z0-9-]{0,50}[a-z0-9])?$/;
/** Those of the platform itself. */
const TAKEN = ['gateways', 'live', 'operator', 'registry', 'workers'];
const PUBLIC = Object.values(TOPICS).filter(({ visibility }) => visibility === 'public');
const FORMS = ['strimzi', 'kafka'];

/** `rastro consumer add | topics`: a user of the brokers for a program that reads public topics. */
export const consumerCommand = noun<ConsumerUserPorts>((command, does) => {
  command.description('Users of the brokers for programs of others that read the log.');
  example(command.command('add')
    .description('Prints what makes a user that reads these topics, in groups named NAME.…, and'
      + ' nothing else. It changes nothing: users and rights are the administrator\'s.')
    .argument('<name>', 'a to z, 0 to 9 and -')
    .requiredOption('--topic <topic>', 'a public topic (repeat it for several)', repeated)
    .option('--as <form>', 'strimzi: a KafkaUser for kubectl; kafka: commands of Kafka', FORMS[0])
    .action(does((ports, name: string, words: AddWords) => add(ports, name, words))),
  'rastro consumer add maps --topic rtt.locations.v1 | kubectl -n rastro apply -f -', DONE);
  example(command.command('topics').description('The topics that others may read.')
    .action(does(listTopics)), 'rastro consumer topics', DONE);
});

function add(
  { manifestOf, commandsOf }: ConsumerUserPorts, name: string,
  { topic: topics, as: form }: AddWords,
): Report {
  if (!NAME.test(name) || TAKEN.includes(name)) {
    return misuse(`${name} is no name for a consumer: 1 to 52 of a to z, 0 to 9 and -, not beginning `
      + `with rastro, and none of ${TAKEN.join(', ')}.`);
  }
  const other = topics.find((topic) => PUBLIC.every((each) => each.name !== topic));
  if (other !== undefined) {
    return misuse(`${other} is no public topic. Public are ${PUBLIC.map((each) => each.name).join(', ')}.`);
  }
  if (!FORMS.includes(form)) return misuse(`--as is ${FORMS.join(' or ')}, not ${form}.`);
  const wanted = [...new Set(topics)];
  const manifest = manifestOf(name, wanted);
  return {
    value: manifest,
    lines: form === 'strimzi' ? [JSON.stringify(manifest, null, 2)] : commandsOf(name, wanted),
    exitCode: 0,
  };
}

function listTopics(): Report {
  const topics = PUBLIC.map(({ name, record, key, description }) => ({
    topic: name, record, key, description,
  }));
  return {
    value: { topics },
    lines: tableOf(['TOPIC', 'RECORD', 'KEY', 'HOLDS'], topics.map(Object.values)),
    exitCode: 0,
  };
}
