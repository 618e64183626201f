import type { Consumer } from '@platformatic/kafka';
import { platformaticLibrary } from '../clients/platformatic-library.ts';
import { commitMetadata } from '../commit-metadata.ts';

interface CommitTopic {
  readonly name: string;
  readonly partitions: readonly object[];
}

type CommitCall = (...args: [
  connection: unknown, group: string, generation: number, member: string, instance: string | null,
  topics: readonly CommitTopic[], callback: unknown,
]) => unknown;
type GetApi = (name: string, callback: (error: Error | null, send: CommitCall) => void) => void;

/**
 * Makes the commits of a member of @platformatic/kafka name the id of their topic: the library
 * commits without metadata. The way in is its exported symbol for the choice of a request.
 */
export function nameTopicsInCommits(
  member: Consumer, topicIdOf: (topic: string) => string,
): void {
  const { kGetApi } = platformaticLibrary();
  const open = member as unknown as Record<symbol, GetApi>;
  const getApi = open[kGetApi]?.bind(member);
  if (getApi === undefined) throw new Error('The Kafka library chooses its requests in another way.');
  open[kGetApi] = (name, callback) => {
    getApi(name, (error, send) => {
      callback(error, name === 'OffsetCommit' && error === null ? naming(send, topicIdOf) : send);
    });
  };
}

function naming(send: CommitCall, topicIdOf: (topic: string) => string): CommitCall {
  return (connection, group, generation, member, instance, topics, callback) => send(
    connection, group, generation, member, instance,
    topics.map(({ name, partitions }) => ({
      name,
      partitions: partitions.map((partition) => (
        { ...partition, committedMetadata: commitMetadata(topicIdOf(name)) }
      )),
    })),
    callback,
  );
}
