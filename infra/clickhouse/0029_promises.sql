-- What was promised beside what came: shipments with the place of what carries them.

-- A traceable of the type shipment is the shipment of which it has the platform's id (shipment_id of
-- the authorization) or the tracking number. Of one that was authorized again the last epoch counts.
CREATE VIEW IF NOT EXISTS v_shipment_traceables
(
    traceable_type     String COMMENT 'Always shipment, as in v_delivery_locations.',
    traceable_id       String
        COMMENT 'Id of the traceable: the shipment_id or the tracking_number of this row.',
    shipment_id        String COMMENT 'Shipment id of the platform, as text.',
    tracking_number    String COMMENT 'Tracking number, as in v_shipment_last.',
    transport_order_id String COMMENT 'Identifier of the transport leg.',
    client_id          String COMMENT 'Client that authorized it: the carrier.'
)
SQL SECURITY DEFINER
AS SELECT 'shipment' AS traceable_type, traceable_id, last.2 AS shipment_id,
          last.3 AS tracking_number, last.4 AS transport_order_id, last.5 AS client_id
   FROM (SELECT traceable_id,
                argMax((epoch, shipment_id, tracking_number, transport_order_id, client_id),
                       (authorized_at, epoch)) AS last
         FROM v_authorizations
         ARRAY JOIN arrayDistinct(arrayFilter(id -> id != '', [shipment_id, tracking_number]))
             AS traceable_id
         GROUP BY traceable_id)
COMMENT 'By which ids of traceables deliveries and shipments are joined.';

CREATE VIEW IF NOT EXISTS v_shipment_places
(
    tracking_number String               COMMENT 'Tracking number, as in v_shipment_last.',
    shipment_id     String               COMMENT 'Shipment id of the platform, as text.',
    status          String
        COMMENT 'Canonical status, as in v_shipment_last; empty without a notification.',
    final           Bool                 COMMENT 'True once nothing changes any more.',
    ts              DateTime('UTC')      COMMENT 'Time of its newest place, UTC seconds.',
    latitude        Float64              COMMENT 'Degrees.',
    longitude       Float64              COMMENT 'Degrees.',
    provider        String               COMMENT 'Provider that reports what carries it.',
    external_type   String               COMMENT 'Type of the driver''s external entity.',
    external_id     String               COMMENT 'Id of the driver''s external entity.',
    client_id       String               COMMENT 'Client that reports the traceable.',
    traceable_id    String               COMMENT 'The traceable, as in v_traceable_last.'
)
SQL SECURITY DEFINER
AS SELECT s.tracking_number AS tracking_number, s.shipment_id AS shipment_id, l.status AS status,
          l.final AS final, t.ts AS ts, t.latitude AS latitude, t.longitude AS longitude,
          t.provider AS provider, t.external_type AS external_type, t.external_id AS external_id,
          t.client_id AS client_id, t.traceable_id AS traceable_id
   FROM (SELECT * FROM v_traceable_last WHERE traceable_type = 'shipment') AS t
   INNER JOIN v_shipment_traceables AS s ON s.traceable_id = t.traceable_id
   LEFT JOIN (SELECT tracking_number, status, final FROM v_shipment_last) AS l
   ON l.tracking_number = s.tracking_number
COMMENT 'Where each shipment is that a driver carries, and how it stands.';
