"""Reads the archive of a view with DuckDB, by what its manifest says counts. Arguments: the address of
the archive, the view, and an S3 host with its keys when the archive is a bucket."""
import sys
from pathlib import Path

import duckdb

root, view, *bucket = sys.argv[1:]
database = duckdb.connect()
if bucket:
    import duckdb_extension_httpfs
    extension = next(Path(duckdb_extension_httpfs.__file__).parent.rglob("httpfs.duckdb_extension"))
    database.execute(f"LOAD '{extension}'")
    host, key, secret = bucket
    database.execute(f"""CREATE SECRET (TYPE s3, KEY_ID '{key}', SECRET '{secret}', ENDPOINT '{host}',
        URL_STYLE 'path', USE_SSL false, REGION 'us-east-1')""")
database.execute(f"""SET VARIABLE files = (
    SELECT list('{root}/' || file.file) FROM (
        SELECT unnest(day.files) AS file FROM (
            SELECT unnest(map_values(days)) AS day FROM read_json('{root}/{view}/_manifest.json',
                columns = {{days: 'MAP(VARCHAR, STRUCT(files STRUCT(file VARCHAR)[]))'}}))))""")
print(*database.execute("""SELECT count(*), count(DISTINCT device_id), typeof(any_value(ts)),
    count(*) FILTER (speed IS NULL), epoch(max(ts))::BIGINT
    FROM read_parquet(getvariable('files'))""").fetchone())
