-- Every day with a trip is a day of a device: rows that come out are wrong.
SELECT trips.device_id, trips.day
FROM (SELECT DISTINCT device_id, day FROM {{ ref('device_trips') }}) AS trips
LEFT ANTI JOIN {{ source('rastro', 'v_device_days') }} AS days
ON trips.device_id = days.device_id AND trips.day = days.day
