-- How late do fixes come?
-- Parameters: provider String, since DateTime('UTC') (from), until DateTime('UTC') (to before).
-- Comes out: fixes by class of seconds from their own time to their receipt.
SELECT multiIf(late < 0, 'ahead', late < 10, '0-10', late < 60, '10-60', late < 600, '60-600',
               late < 3600, '600-3600', '3600-') AS seconds, count() AS fixes
FROM (SELECT toUnixTimestamp64Milli(received_at) / 1000 - toUnixTimestamp(ts) AS late
      FROM v_locations
      WHERE provider = {provider:String}
        AND ts >= {since:DateTime('UTC')} AND ts < {until:DateTime('UTC')})
GROUP BY seconds
ORDER BY min(late)
