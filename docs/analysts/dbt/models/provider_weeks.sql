-- Each provider by week from Monday on, made of the days.
{{ config(order_by='(week, provider)') }}
SELECT toMonday(day) AS week,
       provider,
       sum(distance_km) AS distance_km,
       sum(trips) AS trips,
       max(devices) AS devices_max
FROM {{ ref('fleet_days') }}
GROUP BY week, provider
