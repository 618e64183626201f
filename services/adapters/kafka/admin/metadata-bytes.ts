/** What an answer says of one topic. */
interface TopicIdAnswer {
  /** The protocol's number of an error; 0 for none. */
  readonly errorCode: number;
  readonly topic: string;
  readonly id: string;
}

const ID_BYTES = 16;
const NO_ID = Buffer.alloc(ID_BYTES);
const NO_TAGS = Buffer.from([0]);
const YES_OR_NO = 1;

/** Encodes a Metadata request of version 12 about these topics, the tags of its header first. */
export function metadataRequest(topics: readonly string[]): Buffer {
  const named = topics.map((topic) => {
    const name = Buffer.from(topic);
    return Buffer.concat([NO_ID, varint(name.length + 1), name, NO_TAGS]);
  });
  const makesNone = Buffer.from([0]);
  const withoutRights = Buffer.from([0]);
  return Buffer.concat([
    NO_TAGS, varint(topics.length + 1), ...named, makesNone, withoutRights, NO_TAGS,
  ]);
}

/** Reads the ids out of a Metadata answer of version 12; the rest of it is passed over. */
export function readTopicIds(bytes: Buffer): readonly TopicIdAnswer[] {
  const at = cursor(bytes);
  at.tags();
  at.int32();
  at.list(() => {
    at.int32();
    at.text();
    at.int32();
    at.text();
    at.tags();
  });
  at.text();
  at.int32();
  return at.list(() => {
    const errorCode = at.int16();
    const topic = at.text();
    const id = asUuid(at.bytes(ID_BYTES));
    at.bytes(YES_OR_NO);
    at.list(() => {
      at.int16();
      for (let nth = 0; nth < 3; nth += 1) at.int32();
      for (let nth = 0; nth < 3; nth += 1) at.list(at.int32);
      at.tags();
    });
    at.int32();
    at.tags();
    return { errorCode, topic, id };
  });
}

function cursor(bytes: Buffer) {
  let offset = 0;

  function take(length: number): Buffer {
    if (offset + length > bytes.length) throw new RangeError('the answer ends too soon');
    offset += length;
    return bytes.subarray(offset - length, offset);
  }

  function length(): number {
    let sum = 0;
    for (let shift = 0; ; shift += 7) {
      const [byte = 0] = take(1);
      sum += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return sum;
    }
  }

  return {
    bytes: take,
    int16: () => take(2).readInt16BE(),
    int32: () => take(4).readInt32BE(),
    text: () => take(Math.max(0, length() - 1)).toString(),
    tags: () => {
      const tags = length();
      for (let nth = 0; nth < tags; nth += 1) {
        length();
        take(length());
      }
    },
    list: <T>(one: () => T): T[] => Array.from({ length: Math.max(0, length() - 1) }, () => one()),
  };
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 0x80) {
    bytes.push((rest & 0x7f) | 0x80);
    rest >>>= 7;
  }
  return Buffer.from([...bytes, rest]);
}

function asUuid(id: Buffer): string {
  return id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
