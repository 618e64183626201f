-- The writer sees the landing tables alone. These views read what other views have written, so they
-- do it in the name of whoever made them; without that every insert of the writer is refused.

ALTER TABLE locations_to_ingest_stored MODIFY SQL SECURITY DEFINER;

ALTER TABLE location_outliers_to_ingest_stored MODIFY SQL SECURITY DEFINER;

ALTER TABLE telemetry_events_to_ingest_stored MODIFY SQL SECURITY DEFINER;

ALTER TABLE deferred_answers_to_ingest_stored MODIFY SQL SECURITY DEFINER;
