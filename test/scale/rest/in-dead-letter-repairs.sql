INSERT INTO in_dead_letter_repairs
SELECT ('', '', '', '', 0, 0, k_partition, k_offset), 'DeadLetterDiscarded',
       (topic, concat('scale ', kind), k_partition, k_offset), '', 'scale', received_ms + 7200000
FROM (DEAD_LETTERS)
WHERE n IN (1, 3)
