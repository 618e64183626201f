-- Where is a traceable?
-- Parameters: type String, id String.
-- Comes out: its newest place, for each client that reports it.
SELECT client_id, ts, latitude, longitude, external_type, external_id
FROM v_traceable_last
WHERE traceable_type = {type:String} AND traceable_id = {id:String}
ORDER BY client_id
