/**
 * Codes by which ClickHouse says "this data can never be stored" (names as in its ErrorCodes). Any
 * other code, known or not, counts as something that may pass: no record is discarded because
 * of an unknown code.
 */
const DATA_CODES: ReadonlyMap<number, string> = new Map([
  [6, 'CANNOT_PARSE_TEXT'],
  [25, 'CANNOT_PARSE_ESCAPE_SEQUENCE'],
  [26, 'CANNOT_PARSE_QUOTED_STRING'],
  [27, 'CANNOT_PARSE_INPUT_ASSERTION_FAILED'],
  [32, 'ATTEMPT_TO_READ_AFTER_EOF'],
  [38, 'CANNOT_PARSE_DATE'],
  [41, 'CANNOT_PARSE_DATETIME'],
  [53, 'TYPE_MISMATCH'],
  [69, 'ARGUMENT_OUT_OF_BOUND'],
  [70, 'CANNOT_CONVERT_TYPE'],
  [72, 'CANNOT_PARSE_NUMBER'],
  [117, 'INCORRECT_DATA'],
  [130, 'CANNOT_READ_ARRAY_FROM_TEXT'],
  [131, 'TOO_LARGE_STRING_SIZE'],
  [190, 'SIZES_OF_ARRAYS_DONT_MATCH'],
  [321, 'VALUE_IS_OUT_OF_RANGE_OF_DATA_TYPE'],
  [349, 'CANNOT_INSERT_NULL_IN_ORDINARY_COLUMN'],
  [376, 'CANNOT_PARSE_UUID'],
  [407, 'DECIMAL_OVERFLOW'],
  [467, 'CANNOT_PARSE_BOOL'],
  [469, 'VIOLATED_CONSTRAINT'],
  [626, 'CANNOT_SKIP_UNKNOWN_FIELD'],
]);

/** Name of the code when the store refuses the data itself, else undefined. */
export function dataFault(code: number): string | undefined {
  return DATA_CODES.get(code);
}

/**
 * Codes by which ClickHouse says that a statement itself is wrong. Memory, time, load, rights and
 * whatever is not named here may pass, and a reader waits for that.
 */
const STATEMENT_CODES: ReadonlySet<number> = new Set([
  10, // NOT_FOUND_COLUMN_IN_BLOCK
  16, // NO_SUCH_COLUMN_IN_TABLE
  36, // BAD_ARGUMENTS
  42, // NUMBER_OF_ARGUMENTS_DOESNT_MATCH
  43, // ILLEGAL_TYPE_OF_ARGUMENT
  44, // ILLEGAL_COLUMN
  46, // UNKNOWN_FUNCTION
  47, // UNKNOWN_IDENTIFIER
  48, // NOT_IMPLEMENTED
  50, // UNKNOWN_TYPE
  62, // SYNTAX_ERROR
  115, // UNKNOWN_SETTING
  184, // ILLEGAL_AGGREGATION
  207, // AMBIGUOUS_IDENTIFIER
  215, // NOT_AN_AGGREGATE
  386, // NO_COMMON_TYPE
  456, // UNKNOWN_QUERY_PARAMETER
  457, // BAD_QUERY_PARAMETER
]);

/** True when the statement is a defect of its author, which no wait repairs. */
export function isStatementFault(code: number): boolean {
  return STATEMENT_CODES.has(code);
}

/** Every code that {@link dataFault} knows, for the tests. */
export const DATA_FAULT_CODES: readonly number[] = [...DATA_CODES.keys()];

const ROW_HINT = /\(at row (\d+)\)/g;

/**
 * Zero-based line that the store's message blames. Only a hint: the message quotes the data, so
 * that data can hold such words itself; who acts on it must try that line alone.
 */
export function blamedLine(message: string, lines: number): number | undefined {
  let line: number | undefined;
  for (const match of message.matchAll(ROW_HINT)) line = Number(match[1]) - 1;
  return line !== undefined && line >= 0 && line < lines ? line : undefined;
}
