const METADATA_KEY = 3;
const METADATA_VERSION = 1;
const CLIENT_ID = 'rastro-probe';

/** A Kafka Metadata request (version 1) that asks for no topic: only for who is alive. */
export function kafkaMetadataRequest(): Buffer {
  const client = Buffer.from(CLIENT_ID);
  const body = Buffer.alloc(14 + client.length);
  body.writeInt16BE(METADATA_KEY, 0);
  body.writeInt16BE(METADATA_VERSION, 2);
  body.writeInt32BE(1, 4); // correlation id
  body.writeInt16BE(client.length, 8);
  client.copy(body, 10);
  body.writeInt32BE(0, 10 + client.length); // no topics; null would mean all of them
  const size = Buffer.alloc(4);
  size.writeInt32BE(body.length);
  return Buffer.concat([size, body]);
}

/**
 * The node ids in a Metadata answer. A broker that has not yet joined, or whose session has
 * expired, is fenced and missing from the list, so being listed is what "ready" means.
 */
export function liveBrokers(answer: Buffer): readonly number[] {
  const nodeIds: number[] = [];
  let at = 8; // size and correlation id
  const count = answer.readInt32BE(at);
  at += 4;
  for (let index = 0; index < count; index += 1) {
    nodeIds.push(answer.readInt32BE(at));
    at += 4;
    at += 2 + answer.readInt16BE(at); // host
    at += 4; // port
    at += 2 + Math.max(0, answer.readInt16BE(at)); // rack, -1 when there is none
  }
  return nodeIds;
}
