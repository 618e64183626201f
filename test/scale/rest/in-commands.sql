INSERT INTO in_commands
SELECT ('', 'operator', provider, country, transport, at_ms, k_partition, k_offset), command_id,
       provider, command_key, 'operator', country, '',
       (command, request, tuple(transport), planned_routes), at_ms
FROM (ORDERS)
