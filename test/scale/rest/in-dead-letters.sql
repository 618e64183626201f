INSERT INTO in_dead_letters
SELECT ('', '', '', '', 0, 0, k_partition, k_offset),
       (topic, concat('scale ', kind), k_partition, k_offset, base64Encode(key)), 'table-writer',
       'consume', code, concat('not readable at byte ', toString(n * 7)),
       concat('{"n":"3","client":"1","provider":"', provider, '","received-at":"',
           toString(received_ms), '"}'), NULL, 'scale', received_ms + 2000
FROM (DEAD_LETTERS)
