-- One carrier has a webhook for the journeys of its shipments. Of a hundred facts 93 are delivered
-- at once, five after a retry, one is parked after three tries, and one is skipped by an operator.
INSERT INTO in_webhook_tries
SELECT ('', '', '', '', 0, ended_ms, k_partition, k_offset * 4 + attempt), 'webhook-1', 'live',
       concat('scale-journeys:', toString(k_partition), ':', toString(k_offset)),
       if(outcome = 'skipped', 0, attempt), outcome, client, 'journey', 'shipment.journey.v1',
       multiIf(outcome = 'skipped', 'operator', outcome = 'delivered', 'answered', 'timeout'),
       if(outcome = 'delivered', 204, NULL), 0, received_ms,
       if(outcome = 'retry', ended_ms + 60000, NULL), ended_ms
FROM (SELECT *, outcome, attempt,
             received_ms + attempt * 61000 - 60700 + cityHash64(k_offset) % 700 AS ended_ms
      FROM (SELECT *, cityHash64(number, k_offset) % 100 AS lot
            FROM (MOVES)
            WHERE client = 'carrier-1' AND outcome IN ('applied', 'out_of_order'))
      ARRAY JOIN multiIf(lot < 93, ['delivered'], lot < 98, ['retry', 'delivered'],
                         lot < 99, ['retry', 'retry', 'parked'], ['retry', 'skipped']) AS outcome,
                 arrayEnumerate(multiIf(lot < 93, [1], lot < 98, [1, 2], lot < 99, [1, 2, 3],
                         [1, 2])) AS attempt)
