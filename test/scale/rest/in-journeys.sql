INSERT INTO in_journeys
SELECT (number, client, '', country, 0, received_ms, k_partition, k_offset), number,
       if(outcome = 'disputed', 'carrier-9', client), concat('call-', toString(k_offset)),
       if(i % 7 = 0, 'pull', 'push'), ('scale notifications', k_partition, k_offset), code,
       substring(code, 4), formatDateTime(toDateTime(occurred_s, 'UTC'), '%Y-%m-%dT%H:%i:%SZ'),
       received_ms, outcome, rule, code = 'EX-CUSTOMS',
       if(code = 'EX-FAILED' AND i % 4 = 0, ['/payload/reason'], []), status_before,
       lower(hex(SHA256(concat(number, code, toString(occurred_s))))), 'scale', client, ('', 0, 0),
       (status, code, substring(code, 4), is_final, occurred_s * 1000)
FROM (MOVES)
