import { loadSchemas } from '../../services/adapters/schema/load-schemas.ts';
import { createRecordReader } from '../../services/workers/common/read-record.ts';

/** Reads records by the schemas of the contract, compiled once for all tests of a file. */
export const readRecord = createRecordReader(loadSchemas());
