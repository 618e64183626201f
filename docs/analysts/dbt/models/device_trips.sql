-- Trips with their mean speed; the rest of a trip that midnight cut counts with its own day.
{{ config(order_by='(device_id, start_ts)') }}
SELECT device_id,
       provider,
       day,
       start_ts,
       end_ts,
       duration_s,
       distance_m / 1000 AS distance_km,
       distance_m / greatest(driving_s, 1) * 3.6 AS driving_speed_kmh,
       speed_max_kmh,
       continues
FROM {{ source('rastro', 'v_trips') }}
