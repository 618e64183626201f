import type { Connection, produceV9, ResponseError, Writer } from '@platformatic/kafka';
import { platformaticLibrary } from './platformatic-library.ts';

/** A batch of one partition, as bytes. */
export interface ProducePart {
  readonly topic: string;
  readonly partition: number;
  readonly batch: Buffer;
}

type Answer = ReturnType<typeof produceV9.parseResponse>;

const PRODUCE = 0;
const VERSION = 9;
const ALL_REPLICAS = -1;

/**
 * Asks a broker to append batches of different partitions that it leads (Produce, version 9), and
 * gives the result of each: undefined for one that every in-sync replica has. Rejects when there is
 * no answer, so that nothing is known of any.
 */
export async function produce(
  connection: Connection, parts: readonly ProducePart[], timeoutMs: number,
): Promise<readonly (Error | undefined)[]> {
  const library = platformaticLibrary();
  const request = requestOf(parts, timeoutMs);
  const answer = await new Promise<Answer>((resolve, reject) => {
    connection.send<Answer>(
      PRODUCE, VERSION, () => request, library.produceV9.parseResponse, true, true,
      (error, whole) => {
        if (error instanceof library.ResponseError) resolve(answerIn(error));
        else if (error !== null) reject(error);
        else resolve(whole as Answer);
      },
    );
  });
  const codes = new Map(answer.responses.flatMap(({ name, partitionResponses }) => (
    partitionResponses.map(({ index, errorCode }) => [`${name}:${index}`, errorCode] as const)
  )));
  return parts.map(({ topic, partition }) => outcomeOf(codes.get(`${topic}:${partition}`)));
}

/** The library throws an answer in which any partition failed, and keeps it in the error. */
function answerIn(error: ResponseError): Answer {
  return error['response'] as Answer;
}

function outcomeOf(code: number | undefined): Error | undefined {
  if (code === undefined) return new Unanswered('the broker said nothing of the partition');
  return code === 0 ? undefined : new (platformaticLibrary().ProtocolError)(code);
}

/** The answer leaves a partition out that was asked for. */
class Unanswered extends Error {
  readonly code = 'PARTITION_UNANSWERED';
}

function requestOf(parts: readonly ProducePart[], timeoutMs: number): Writer {
  const byTopic = Map.groupBy(parts, ({ topic }) => topic);
  return platformaticLibrary().Writer.create()
    .appendString(null)
    .appendInt16(ALL_REPLICAS)
    .appendInt32(timeoutMs)
    .appendArray([...byTopic], (topics, [name, own]) => {
      topics.appendString(name).appendArray(own, (partitions, { partition, batch }) => {
        partitions.appendInt32(partition).appendBytes(batch);
      });
    })
    .appendTaggedFields();
}
