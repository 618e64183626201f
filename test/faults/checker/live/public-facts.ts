import type { Evidence, LogEntry } from '../evidence.ts';
import { recordsOf, textOf } from '../read-evidence.ts';
import { TOPIC } from '../topics.ts';
import type { SeenBy } from './viewers.ts';

/** Topics whose records are facts without being asked for, and what kind they are. */
const KIND_OF: Readonly<Record<string, string>> = {
  [TOPIC.lifecycle]: 'device', [TOPIC.journeys]: 'journey', [TOPIC.commands]: 'command',
  [TOPIC.commandResults]: 'command', [TOPIC.deadLetters]: 'dead_letter',
};
const COMMAND_RESULT = 'ProviderCommandResult';

/** The public facts of the log, all of them, in its order. */
export function publicFacts(evidence: Evidence): readonly LogEntry[] {
  return Object.keys(KIND_OF).flatMap((topic) => recordsOf(evidence, topic))
    .filter(({ value }) => value !== undefined);
}

/** True for a fact that a viewer may see. */
export function isFactFor({ owner }: SeenBy, { topic, headers, value }: LogEntry): boolean {
  if (owner === null) return true;
  switch (topic) {
    case TOPIC.lifecycle: return textOf(value, 'client_id') === owner.client_id;
    case TOPIC.commands:
    case TOPIC.commandResults: return textOf(value, 'provider') === owner.provider;
    case TOPIC.deadLetters: return headers['client'] === owner.client_id;
    default: return false;
  }
}

/** The topic of a fact as a viewer got it; two topics have facts about commands. */
export function topicOf(kind: string, fact: unknown): string {
  if (kind === 'command') {
    return textOf(fact, 'type') === COMMAND_RESULT ? TOPIC.commandResults : TOPIC.commands;
  }
  return Object.keys(KIND_OF).find((topic) => KIND_OF[topic] === kind) ?? kind;
}
