import { ByteWriter } from 'hyparquet-writer';
import { serializeTCompactProtocol, ThriftStruct } from 'hyparquet-writer/src/thrift.js';
import { deserializeTCompactProtocol } from 'hyparquet/src/thrift.js';

/** Fields of a Thrift struct by their numbers in `parquet.thrift`. */
type Struct = Record<`field_${number}`, unknown>;

/** What is known of a Parquet file: its schema and where its row groups are. */
export interface Footer {
  readonly schema: readonly Struct[];
  readonly rowGroups: readonly Struct[];
  readonly rows: bigint;
}

const MAGIC = Buffer.from('PAR1');
const TAIL_BYTES = 8;
const VERSION = 2;
/** Kinds of values in Thrift's compact form. */
const THRIFT = { isTrue: 1, isFalse: 2, byte: 3 } as const;

/** Bytes of the footer of a file that ends with these eight bytes, its end included. */
export function footerBytes(tail: Buffer): number {
  if (!tail.subarray(-MAGIC.length).equals(MAGIC)) throw new Error('This is no whole Parquet file.');
  return tail.readUInt32LE(tail.length - TAIL_BYTES) + TAIL_BYTES;
}

/** Reads the footer at the end of these bytes. */
export function readFooter(end: Buffer): Footer {
  const from = end.length - footerBytes(end);
  const view = new DataView(end.buffer, end.byteOffset, end.length - TAIL_BYTES);
  const struct = deserializeTCompactProtocol({ view, offset: from });
  return {
    schema: (struct.field_2 as readonly Struct[]).map(withByteWidths),
    rows: struct.field_3 as bigint,
    rowGroups: struct.field_4 as readonly Struct[],
  };
}

/** The row groups as they are when so many bytes come before their file. */
export function movedBy({ rowGroups }: Footer, bytes: number): readonly Struct[] {
  const by = BigInt(bytes);
  const moved = (byte: unknown): unknown => (
    typeof byte === 'bigint' && byte > 0n ? byte + by : byte
  );
  return rowGroups.map(({ field_7: _ordinal, ...group }) => ({
    ...group,
    field_1: (group.field_1 as readonly Struct[]).map(({ field_1, field_2, field_3 }) => {
      const column = field_3 as Struct;
      // Fields 4 to 7 are the indexes of pages.
      return {
        field_1, field_2: moved(field_2),
        field_3: {
          ...column, field_9: moved(column.field_9), field_10: moved(column.field_10),
          field_11: moved(column.field_11), field_14: moved(column.field_14),
        },
      };
    }),
    field_5: moved(group.field_5),
  })).map(inOrder);
}

/** The bytes of a footer with the length and the magic that end a file. */
export function writeFooter(
  { schema, rowGroups, rows }: Footer, metadata: Readonly<Record<string, string>>,
): Uint8Array {
  const writer = new ByteWriter();
  const pairs = Object.entries(metadata).map(([field_1, field_2]) => ({ field_1, field_2 }));
  serializeTCompactProtocol(writer, {
    field_1: VERSION, field_2: [...schema], field_3: rows, field_4: [...rowGroups],
    ...(pairs.length === 0 ? {} : { field_5: pairs }),
    field_6: 'Rastro',
    // The order of the least and greatest values: that of each column's type.
    field_7: schema.filter(({ field_1 }) => field_1 !== undefined).map(() => ({ field_1: {} })),
  });
  writer.appendUint32(writer.offset);
  writer.appendBytes(MAGIC);
  return writer.getBytes();
}

/** A column of bytes that was said to hold text. */
export function asBytes(element: Struct): Struct {
  const { field_6: _converted, field_10: _logical, ...plain } = element;
  return plain;
}

/** The name of an element of a schema. */
export function nameOf({ field_4 }: Struct): string {
  return Buffer.from(field_4 as Uint8Array).toString();
}

/** The width of an integer is one byte in Thrift; as a number it would be written as four. */
function withByteWidths(element: Struct): Struct {
  const logical = element.field_10 as Struct | undefined;
  const integer = logical?.field_10 as Struct | undefined;
  if (integer === undefined) return element;
  const isSigned = integer.field_2 === true;
  return {
    ...element,
    field_10: {
      field_10: new ThriftStruct([
        [1, THRIFT.byte, integer.field_1 as number],
        [2, isSigned ? THRIFT.isTrue : THRIFT.isFalse, isSigned],
      ]),
    },
  };
}

/** Thrift writes fields by their numbers. */
function inOrder(struct: Struct): Struct {
  const numberOf = (name: string): number => Number(name.slice('field_'.length));
  return Object.fromEntries(
    Object.entries(struct).toSorted(([a], [b]) => numberOf(a) - numberOf(b)),
  );
}
