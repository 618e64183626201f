-- The notifications of each shipment with their outcomes. One of ten is never delivered, one fails
-- and is delivered later, one fails and goes back. Carriers notify from half a minute to two hours
-- late. Some repeat themselves, are out of order, after the end, of a stranger or unmapped.
SELECT *, 'shipment.notifications.v1' AS topic, 'notifications' AS kind, number AS key,
       '' AS provider, 1 AS items,
       move.1 AS step, move.2 AS code, move.3 AS status_before, move.4 AS status, move.5 AS outcome,
       move.6 AS rule, toInt64(begin_s) + move.7 AS occurred_s, status IN ('delivered', 'returned')
           AS is_final,
       occurred_s * 1000 + [30000, 600000, 7200000, 60000, 300000][1 + d % 5] + i % 60 * 1000
           AS received_ms,
       i * 16 + step AS k_offset
FROM (
    SELECT *, if(fails, 'delivery_failed', 'out_for_delivery') AS on_the_way,
           (5 + i % 8) * 3600 + 2400 AS end_after_s, i % 10 IN (1, 2) AS fails,
           multiIf(i % 10 = 0, '', i % 10 = 2, 'returned', 'delivered') AS ends,
           multiIf(ends = '', on_the_way, ends) AS stays,
           i % 20 AS kind_of_trouble
    FROM (SHIPMENTS)
    WHERE is_notified)
ARRAY JOIN arrayFilter(each -> each.2 != '', [
    (0, 'EX-CREATED', '', 'created', 'applied', 'first', toInt64(-7200)),
    (1, 'EX-COLLECTED', 'created', 'in_transit', 'applied', 'in_order', -3600),
    (2, 'EX-HUB', 'in_transit', 'in_transit', 'applied', 'in_order', 600),
    (3, if(kind_of_trouble = 7, 'EX-HUB', ''), 'in_transit', 'in_transit', 'duplicate',
     'repeated_content', 600),
    (4, if(kind_of_trouble = 9, 'EX-CUSTOMS', ''), 'in_transit', 'in_transit', 'applied',
     'in_order', 1200),
    (5, 'EX-ON-ROUTE', 'in_transit', 'out_for_delivery', 'applied', 'in_order', 3600),
    (6, if(kind_of_trouble = 13, 'EX-COLLECTED', ''), 'out_for_delivery', 'out_for_delivery',
     'out_of_order', 'older_than_applied', -3000),
    (7, if(kind_of_trouble = 17, 'EX-LOST', ''), 'out_for_delivery', 'out_for_delivery', 'disputed',
     'other_carrier', 5400),
    (8, if(fails, 'EX-FAILED', ''), 'out_for_delivery', 'delivery_failed', 'applied', 'in_order',
     13200),
    (9, multiIf(ends = 'delivered', 'EX-DELIVERED', ends = 'returned', 'EX-RETURNED', ''),
     on_the_way, ends, 'applied', 'final_code', end_after_s),
    (10, if(kind_of_trouble = 5, 'EX-ON-ROUTE', ''), stays, stays, 'ignored_after_final',
     'after_final', end_after_s + 1800)]) AS move
