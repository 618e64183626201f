-- What each view answers and what one row of it is, where tools and the dictionary show it.

ALTER TABLE v_locations MODIFY COMMENT
    'A row for each distinct fix of a transport device, at its first sending.';
ALTER TABLE v_telemetry MODIFY COMMENT
    'A row for each distinct telemetry of a device, under its own time.';
ALTER TABLE v_location_outliers MODIFY COMMENT
    'Fixes and telemetry over 400 days old or over a day ahead at receipt; in no other view.';
ALTER TABLE v_device_last MODIFY COMMENT
    'The newest trustworthy place of each device; of two in one second the later in the log.';
ALTER TABLE v_telemetry_events MODIFY COMMENT
    'A row for each distinct telemetry event of a device.';
ALTER TABLE v_telemetry_event_outliers MODIFY COMMENT
    'Telemetry events over 400 days old or over a day ahead at receipt.';
ALTER TABLE v_deferred_answers MODIFY COMMENT
    'A row for each process_telemetry_events command that was answered, with the newest answer.';
ALTER TABLE v_deferred_events MODIFY COMMENT
    'The events of the newest answer to each process_telemetry_events command.';
ALTER TABLE v_delivery_locations MODIFY COMMENT
    'A row for each distinct fix of each traceable that a driver carried.';
ALTER TABLE v_delivery_outliers MODIFY COMMENT
    'Fixes of traceables over 400 days old or over a day ahead at receipt.';
ALTER TABLE v_traceable_last MODIFY COMMENT
    'The newest trustworthy place of each traceable, for each client that reports it.';
ALTER TABLE v_authorizations MODIFY COMMENT
    'A row for each authorization of a shipment, with its cancellation; no tests, no persons.';
ALTER TABLE v_authorization_refusals MODIFY COMMENT
    'A row for each refused authorization.';
ALTER TABLE v_notifications MODIFY COMMENT
    'A row for each notification of a shipment as it was recorded; no tests, no persons.';
ALTER TABLE v_journeys MODIFY COMMENT
    'What came of each notification, and the status before and after it.';
ALTER TABLE v_shipment_last MODIFY COMMENT
    'Where each shipment stands.';
ALTER TABLE v_dead_letters MODIFY COMMENT
    'Records that could not be processed, by kind of reason.';
ALTER TABLE v_ingest_fates MODIFY COMMENT
    'How the items of each record of a window of receipt ended.';
ALTER TABLE v_ingest_balance MODIFY COMMENT
    'Accepted items against outcomes by minute of receipt, provider and kind.';
ALTER TABLE v_ingest_gaps MODIFY COMMENT
    'Offsets of the log that were never read, though later ones were.';
ALTER TABLE v_device_minutes MODIFY COMMENT
    'Each device by the minute of its own clock; written with every insert.';
ALTER TABLE v_device_days MODIFY COMMENT
    'Each device by UTC day: distance, driving, stops, gaps; computed within 5 minutes or so.';
ALTER TABLE v_trips MODIFY COMMENT
    'Trips of devices, cut at midnight UTC; computed with the days.';
ALTER TABLE v_speeding_cells MODIFY COMMENT
    'Speeds by day, H3 cell of resolution 8, country and provider; computed with the days.';
ALTER TABLE v_event_rates MODIFY COMMENT
    'Telemetry events of each device and day beside the distance of the day.';
ALTER TABLE v_provider_quality MODIFY COMMENT
    'Latency, order, gaps, repeats and clocks of each provider, of the fixes received in a window.';
