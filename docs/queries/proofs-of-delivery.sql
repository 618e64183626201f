-- Which share of deliveries has a picture as proof?
-- Parameters: since DateTime('UTC') (from of receipt), until DateTime('UTC') (to before of
--   receipt).
-- Comes out: deliveries by carrier, those with a picture, and those whose picture is of no known
--   kind.
SELECT j.carrier AS carrier, count() AS deliveries, countIf(n.has_image) AS with_picture,
       100 * with_picture / deliveries AS percent, countIf(n.image_flag != '') AS of_unknown_kind
FROM (SELECT carrier, topic_id, k_partition, k_offset
      FROM v_journeys
      WHERE received_at >= {since:DateTime('UTC')} AND received_at < {until:DateTime('UTC')}
        AND outcome = 'applied' AND status = 'delivered' AND final) AS j
LEFT JOIN (SELECT topic_id, k_partition, k_offset, has_image, image_flag
           FROM v_notifications
           WHERE received_at >= {since:DateTime('UTC')} AND received_at < {until:DateTime('UTC')}
             AND has_image) AS n
ON j.topic_id = n.topic_id AND j.k_partition = n.k_partition AND j.k_offset = n.k_offset
GROUP BY carrier
ORDER BY percent, carrier
