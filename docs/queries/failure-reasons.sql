-- Why do deliveries fail?
-- Parameters: status String (as your codes name a failed delivery), since DateTime('UTC') (from of
--   receipt), until DateTime('UTC') (to before of receipt).
-- Comes out: notifications that led to that status by carrier and reason as sent.
SELECT j.carrier AS carrier, n.reason AS reason, count() AS notifications,
       uniqExact(j.tracking_number) AS shipments
FROM (SELECT carrier, tracking_number, topic_id, k_partition, k_offset
      FROM v_journeys
      WHERE received_at >= {since:DateTime('UTC')} AND received_at < {until:DateTime('UTC')}
        AND outcome = 'applied' AND status = {status:String} AND NOT unmapped) AS j
LEFT JOIN (SELECT topic_id, k_partition, k_offset, reason
           FROM v_notifications
           WHERE received_at >= {since:DateTime('UTC')} AND received_at < {until:DateTime('UTC')}
             AND reason != '') AS n
ON j.topic_id = n.topic_id AND j.k_partition = n.k_partition AND j.k_offset = n.k_offset
GROUP BY carrier, reason
ORDER BY notifications DESC, carrier, reason
