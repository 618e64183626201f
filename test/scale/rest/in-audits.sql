INSERT INTO in_audits
SELECT ('', '', '', '', 0, at_ms, 0, ({day:UInt32} - {first_day:UInt32}) * 10 + number),
       concat('audit-', toString({day:UInt32}), '-', toString(number)),
       ['ana@ops-1', 'rui@ops-2'][1 + number % 2], 'option',
       ['person show', 'person erase', 'client retire'][1 + number % 3],
       ['persons', 'persons', 'clients'][1 + number % 3], concat('subject-', toString(number)),
       concat('ticket ', toString(number)), at_ms, 0
FROM (SELECT number, toInt64({day:UInt32}) * 86400000 + number * 10000000 AS at_ms FROM numbers(8))
