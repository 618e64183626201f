import type { GeometryType } from '../../kernel/view-export.ts';
import {
  asBytes, footerBytes, movedBy, nameOf, readFooter, writeFooter, type Footer,
} from './footer.ts';

const GEOMETRY = 'geometry';
const TAIL_BYTES = 8;
/** Bytes of the end of a part that are held; footers of one row group take some ten thousand. */
const END_BYTES_MAX = 8_388_608;

/**
 * One Parquet file of parts that are whole files of the same schema. With a type of geometry it is
 * GeoParquet, by the column `geometry`. Nothing of a part but its end is held.
 */
export async function* joinParts(
  parts: AsyncIterable<AsyncIterable<Uint8Array>>, geometry?: GeometryType,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  let joined: Footer | undefined;
  for await (const part of parts) {
    const from = bytes;
    const end = holdEnd();
    for await (const chunk of part) {
      bytes += chunk.length;
      end.add(chunk);
      yield chunk;
    }
    const footer = readFooter(end.footer());
    if (joined !== undefined && namesOf(joined) !== namesOf(footer)) {
      throw new Error('The parts of a Parquet file have different columns.');
    }
    joined = {
      schema: footer.schema, rows: (joined?.rows ?? 0n) + footer.rows,
      rowGroups: [...joined?.rowGroups ?? [], ...movedBy(footer, from)],
    };
  }
  if (joined === undefined) throw new Error('A Parquet file needs at least one part.');
  yield geometry === undefined
    ? writeFooter(joined, {}) : writeFooter(withBytes(joined), { geo: geoOf(geometry) });
}

function withBytes({ schema, ...footer }: Footer): Footer {
  const marked = schema.map((each) => (nameOf(each) === GEOMETRY ? asBytes(each) : each));
  return { ...footer, schema: marked };
}

/** What GeoParquet 1.1 says of a file; without a reference system it is OGC:CRS84. */
function geoOf(type: GeometryType): string {
  return JSON.stringify({
    version: '1.1.0', primary_column: GEOMETRY,
    columns: { [GEOMETRY]: { encoding: 'WKB', geometry_types: [type] } },
  });
}

function namesOf({ schema }: Footer): string {
  return schema.map(nameOf).join('\n');
}

/** Holds the last chunks of a file, as far as its footer can reach. */
function holdEnd(): { readonly add: (chunk: Uint8Array) => void; readonly footer: () => Buffer } {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  return {
    add(chunk) {
      chunks.push(chunk);
      bytes += chunk.length;
      while (bytes - (chunks[0]?.length ?? 0) >= END_BYTES_MAX) {
        bytes -= chunks.shift()?.length ?? 0;
      }
    },
    footer() {
      const end = Buffer.concat(chunks);
      const length = footerBytes(end.subarray(-TAIL_BYTES));
      if (length > end.length) throw new Error(`The footer of a Parquet file has ${length} bytes.`);
      return end.subarray(-length);
    },
  };
}
