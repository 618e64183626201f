-- How long did each engine run at a standstill?
-- Parameters: since DateTime('UTC') (from), until DateTime('UTC') (to before).
-- Comes out: seconds with ignition on and speed 0, counted between readings of at most 60 s.
SELECT device_id, arraySum(
           (reading, before) -> if(reading.2 AND dateDiff('second', before.1, reading.1) <= 60,
                                   dateDiff('second', before.1, reading.1), 0),
           arrayPopFront(readings), arrayPopBack(readings)) AS idling_s
FROM (SELECT device_id, arraySort(groupArray((ts, ignition AND speed = 0))) AS readings
      FROM v_telemetry
      WHERE ts >= {since:DateTime('UTC')} AND ts < {until:DateTime('UTC')}
        AND ignition IS NOT NULL AND speed IS NOT NULL
      GROUP BY device_id)
WHERE arrayExists(reading -> reading.2, readings)
ORDER BY device_id
