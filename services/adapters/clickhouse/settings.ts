import type { ClickHouseSettings } from '@clickhouse/client';

/**
 * Everything that the correctness of an insert leans on, so that no server's profile decides it.
 * One block per insert (parsed in one go, up to a million lines) makes an insert all or nothing and
 * its blocks, and so their tokens, the same on every repetition. Unknown keys are ignored, missing
 * ones take their default, and a number or an object is taken as its text, byte for byte, where the
 * column is text. No times in the bodies make many parts (ADR 0050); 2,000 partitions let a rebuild
 * in, where the ledger has one for each day of receipt.
 *
 * Two are there for their cost alone (ADR 0025): rows that mean the same are left to the merges and
 * to FINAL, which are there anyway, and chains of comparisons are not rewritten.
 */
export const INSERT_SETTINGS: ClickHouseSettings = {
  async_insert: 0,
  wait_end_of_query: 1,
  insert_deduplicate: 1,
  deduplicate_blocks_in_dependent_materialized_views: 1,
  materialized_views_ignore_errors: 0,
  max_insert_threads: '1',
  max_insert_block_size: '1048449',
  max_block_size: '65409',
  max_partitions_per_insert_block: '2000',
  input_format_parallel_parsing: 0,
  input_format_json_read_numbers_as_strings: 1,
  input_format_json_read_objects_as_strings: 1,
  input_format_skip_unknown_fields: 1,
  input_format_json_ignore_unknown_keys_in_named_tuple: 1,
  input_format_json_defaults_for_missing_elements_in_named_tuple: 1,
  input_format_defaults_for_omitted_fields: 1,
  input_format_null_as_default: 1,
  input_format_allow_errors_num: '0',
  input_format_allow_errors_ratio: 0,
  precise_float_parsing: 1,
  optimize_on_insert: 0,
  optimize_and_compare_chain: 0,
};

/** How rows come back: exact integers, and errors in the status, not in the middle of rows. */
export const READ_SETTINGS: ClickHouseSettings = {
  wait_end_of_query: 1,
  output_format_json_quote_64bit_integers: 1,
  output_format_json_named_tuples_as_objects: 1,
  result_overflow_mode: 'throw',
};
