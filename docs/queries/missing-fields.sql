-- Which fields do carriers leave out that a code asks for?
-- Parameters: since DateTime('UTC') (from of receipt), until DateTime('UTC') (to before of
--   receipt).
-- Comes out: notifications without the field by client, code and field.
SELECT client_id, code, arrayJoin(lacks) AS field, count() AS notifications
FROM v_journeys
WHERE received_at >= {since:DateTime('UTC')} AND received_at < {until:DateTime('UTC')}
GROUP BY client_id, code, field
ORDER BY notifications DESC, client_id, code, field
