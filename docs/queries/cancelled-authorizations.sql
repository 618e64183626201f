-- Which share of authorizations is cancelled?
-- Parameters: since DateTime('UTC') (from of authorization), until DateTime('UTC') (to before
--   of authorization).
-- Comes out: authorizations and percent cancelled by client and receiver country.
SELECT client_id, receiver_country_id, count() AS authorizations,
       100 * countIf(status = 'cancelled') / authorizations AS percent_cancelled
FROM v_authorizations
WHERE authorized_at >= {since:DateTime('UTC')} AND authorized_at < {until:DateTime('UTC')}
GROUP BY client_id, receiver_country_id
ORDER BY client_id, receiver_country_id
