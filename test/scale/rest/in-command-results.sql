-- Of a hundred commands 85 are done at once, five after a retry, four are refused, two ended and
-- one expired; two wait after a retry, and one was never tried. Every eighth start waits too.
INSERT INTO in_command_results
SELECT ('', '', provider, country, 0, done_ms, k_partition, k_offset * 4 + attempt), command_id,
       provider, 1, attempt, outcome,
       transform(outcome, ['done', 'refused', 'ended', 'retry'], [200, 400, 403, 503], NULL),
       if(outcome = 'expired', 'expired', 'answered'),
       if(outcome = 'retry', done_ms + 60000, NULL), '', done_ms
FROM (SELECT *, outcome, attempt,
             at_ms + attempt * 61000 - 60000 + cityHash64(command_id) % 4000 AS done_ms
      FROM (SELECT *, if(command = 'start_tracking' AND k_offset % 64 = 58, 98,
                           cityHash64(command_id) % 100) AS lot
            FROM (ORDERS))
      ARRAY JOIN multiIf(lot < 85, ['done'], lot < 90, ['retry', 'done'], lot < 94, ['refused'],
                         lot < 96, ['ended'], lot < 97, ['retry', 'expired'], lot < 99, ['retry'],
                         []) AS outcome,
                 arrayEnumerate(multiIf(lot < 85, [1], lot < 90, [1, 2], lot < 96, [1], lot < 97,
                         [1, 2], lot < 99, [1], [])) AS attempt)
