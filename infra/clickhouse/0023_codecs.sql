-- Codecs by what recorded drives come to (`npm run bench -- --rows disk`, and what
-- system.parts_columns says then): bytes a value before and after, of 117,536 fixes: places
-- 2.9 to 2.1 each, as real fixes do not go on in straight lines; metadata 2.1 to 0.4; speed 2.7 to
-- 2.0; transport 0.5 to 0.03; device 0.4 to 0.1. Parts that are there take them over at their next
-- merge; nothing is rewritten for it.
ALTER TABLE locations
    MODIFY COLUMN device_id CODEC(ZSTD(3)),
    MODIFY COLUMN lat_e7 CODEC(Delta, ZSTD(3)),
    MODIFY COLUMN lon_e7 CODEC(Delta, ZSTD(3)),
    MODIFY COLUMN speed CODEC(ZSTD(3)),
    MODIFY COLUMN metadata CODEC(ZSTD(3)),
    MODIFY COLUMN transport_id CODEC(Delta, ZSTD(1));

ALTER TABLE telemetry
    MODIFY COLUMN device_id CODEC(ZSTD(3)),
    MODIFY COLUMN lat_e7 CODEC(Delta, ZSTD(3)),
    MODIFY COLUMN lon_e7 CODEC(Delta, ZSTD(3)),
    MODIFY COLUMN speed CODEC(ZSTD(3)),
    MODIFY COLUMN others CODEC(ZSTD(3)),
    MODIFY COLUMN transport_id CODEC(Delta, ZSTD(1));
