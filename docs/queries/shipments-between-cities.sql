-- How many shipments go from where to where?
-- Parameters: since DateTime('UTC') (from of authorization), until DateTime('UTC') (to before of
--   authorization).
-- Comes out: authorizations by country and city of sender and receiver, and those cancelled.
SELECT sender_country_code, sender_city, receiver_country_code, receiver_city,
       count() AS shipments, countIf(status = 'cancelled') AS cancelled
FROM v_authorizations
WHERE authorized_at >= {since:DateTime('UTC')} AND authorized_at < {until:DateTime('UTC')}
GROUP BY sender_country_code, sender_city, receiver_country_code, receiver_city
ORDER BY shipments DESC, sender_city, receiver_city
