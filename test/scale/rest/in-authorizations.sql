INSERT INTO in_authorizations
SELECT ('', client, '', country, 0, at_ms, k_partition, i * 4 + at),
       type, client, order_id, shipment_id, 1, if(is_refused, '', number),
       if(is_refused, ['weight_exceeded', 'no_coverage'][1 + i % 2], ''),
       if(at = 1, ['/shipment_information/package'], []), lower(hex(cityHash64(i, at))), is_test,
       at_ms,
       (if(i % 9 = 0, 'return', 'forward'), tuple('standard'),
        (tuple((('', city), (country, ''))),
         tuple((('', concat(city, ['', ' Norte', ' Sul'][1 + i % 3])), (country, ''))),
         tuple(arrayMap(item -> tuple(toString(item)), range(1 + i % 4)))))
FROM (SELECT *, type, at, asked_ms + at * 1800000 AS at_ms
      FROM (SHIPMENTS)
      ARRAY JOIN
          if(is_refused, ['AuthorizationRefused'], arrayConcat(['ShipmentAuthorized'],
              if(i % 11 = 2, ['AuthorizationChangeAsked'], []),
              if(is_cancelled, ['ShipmentCancelled'], []))) AS type,
          if(is_refused, [0], arrayConcat([0], if(i % 11 = 2, [1], []),
              if(is_cancelled, [2], []))) AS at)
