-- A row for each provider and UTC day: vehicles, kilometers and the share of time that they drove.
{{ config(order_by='(day, provider)') }}
SELECT day,
       provider,
       count() AS devices,
       sum(distance_m) / 1000 AS distance_km,
       sum(driving_s) / 3600 AS driving_h,
       sum(driving_s) / greatest(sum(driving_s + standing_s), 1) AS driving_share,
       sum(trips) AS trips,
       max(computed_at) AS computed_at
FROM {{ source('rastro', 'v_device_days') }}
GROUP BY day, provider
