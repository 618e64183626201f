-- Merges of the rows of locations cost more than their inserts (ADR 0031): each row was taken up
-- again with every fifth part, since parts below 5 MB count as alike however large they are, and
-- was moved value by value, as both tables have one column outside of their key too few for the
-- way that moves the rest of the columns in runs. So that way at any size (it needs 11 columns and
-- 131,072 rows otherwise), and twenty parts where it was five; older parts are merged in fewer, as
-- before. Only what is merged from now on changes; nothing is rewritten for it.
ALTER TABLE locations MODIFY SETTING
    vertical_merge_algorithm_min_columns_to_activate = 1,
    vertical_merge_algorithm_min_rows_to_activate = 1,
    merge_selector_base = 20;

ALTER TABLE telemetry MODIFY SETTING
    vertical_merge_algorithm_min_columns_to_activate = 1,
    vertical_merge_algorithm_min_rows_to_activate = 1,
    merge_selector_base = 20;

-- The others that each insert writes.
ALTER TABLE ingest_records MODIFY SETTING merge_selector_base = 20;
ALTER TABLE ingest_stored MODIFY SETTING merge_selector_base = 20;
ALTER TABLE device_last MODIFY SETTING merge_selector_base = 20;
ALTER TABLE device_minutes MODIFY SETTING merge_selector_base = 20;
ALTER TABLE device_day_marks MODIFY SETTING merge_selector_base = 20;
