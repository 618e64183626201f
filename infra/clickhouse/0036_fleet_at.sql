-- Where every device was at a minute of the past, from frames (ADR 0088).

-- Frames of the minutes count since the last ten began, those of ten minutes before them in the
-- hour, and those of hours before it. A device that was silent for a day by then is left out.
-- Frames may come twice, from their day and late: the newest fix counts, of two in one second that
-- of the greatest latitude, then longitude, as in v_device_minutes. One number of the three is
-- compared faster than they are.
CREATE VIEW IF NOT EXISTS v_fleet_at
(
    device_id    String          COMMENT 'RTT device id.',
    ts           DateTime('UTC')
        COMMENT 'Newest time of a fix until the end of the minute, at most a day before it, UTC.',
    latitude     Float64         COMMENT 'Of that fix, degrees.',
    longitude    Float64         COMMENT 'Of that fix, degrees.',
    country_id   String          COMMENT 'Country of the fix as sent.',
    country_code String
        COMMENT 'The same country as ISO 3166-1 alpha-2, or by the deployment''s own id.',
    provider     String          COMMENT 'Provider of the call''s path.',
    client_id    String          COMMENT 'Client that sent the fix.'
)
SQL SECURITY DEFINER
AS WITH toStartOfMinute({at:DateTime('UTC')}) + 60 AS until, until - 86400 AS since,
        toStartOfHour(until - 60) AS hour, toStartOfTenMinutes(until - 60) AS ten,
        bitShiftLeft(toUInt128(toUnixTimestamp(last_fix.1)), 64)
            + bitShiftLeft(toUInt128(last_fix.2 + 2147483648), 32)
            + toUInt128(last_fix.3 + 2147483648) AS recency,
        splitByChar('\t', sender) AS words
   SELECT device_id, at AS ts, lat_e7 / 1e7 AS latitude, lon_e7 / 1e7 AS longitude,
          words[3] AS country_id,
          if(joinGet({database}.country_codes, 'code', upper(words[3])) = '', upper(words[3]),
             joinGet({database}.country_codes, 'code', upper(words[3]))) AS country_code,
          words[2] AS provider, words[1] AS client_id
   FROM (SELECT device_id, argMax(last_fix.1, recency) AS at, argMax(last_fix.2, recency) AS lat_e7,
                argMax(last_fix.3, recency) AS lon_e7, argMax(last_fix.4, recency) AS sender
         FROM (SELECT device_id, last_fix FROM device_minutes
               WHERE frame_minutes = 60 AND minute >= toStartOfHour(since) AND minute < hour
                 AND frame_at >= toStartOfHour(since) AND frame_at < hour
               UNION ALL
               SELECT device_id, last_fix FROM device_minutes
               WHERE frame_minutes = 10 AND minute >= hour AND minute < ten
                 AND frame_at >= hour AND frame_at < ten
               UNION ALL
               SELECT device_id, last_fix FROM device_minutes
               WHERE frame_minutes = 1 AND minute >= ten AND minute < until
                 AND frame_at >= ten AND frame_at < until)
         GROUP BY device_id)
   WHERE at >= since
COMMENT 'Where each device was at a minute of the past, with what came late; without fixes at 0,0.';
