"""Opens exports with pandas, DuckDB, GeoPandas and MovingPandas, and compares them with what the
tables say. Arguments: the folder of the exports, and what is expected, as JSON."""
import json
import sys
from pathlib import Path

import duckdb
import geopandas
import movingpandas
import pandas

folder = Path(sys.argv[1])
expected = json.loads(sys.argv[2])
manifest = json.loads((folder / "locations" / "_manifest.json").read_text())
TIMES = {"ts", "received_at", "post_ts"}


def same(what, found, wanted):
    assert found == wanted, f"{what}: {found!r} is not {wanted!r}"


def with_pandas():
    text = pandas.read_csv(folder / "locations.csv", parse_dates=sorted(TIMES))
    whole = pandas.read_parquet(folder / "locations")
    one = pandas.read_parquet(folder / "locations.parquet")
    for name, frame in (("csv", text), ("folder", whole), ("parquet", one)):
        same(f"{name} rows", len(frame), expected["rows"])
        same(f"{name} columns", list(frame.columns), expected["columns"])
        same(f"{name} speed", str(frame.speed.dtype).lower()[:5], "float")
        same(f"{name} speed nulls", int(frame.speed.isna().sum()), expected["speed_nulls"])
        same(f"{name} mean", round(float(frame.speed.mean()), 2), round(expected["speed_mean"], 2))
        same(f"{name} latitude", str(frame.latitude.dtype), "float64")
        same(f"{name} altitude nulls", int(frame.altitude.isna().sum()), expected["altitude_nulls"])
        for column in TIMES:
            same(f"{name} {column} zone", str(frame[column].dt.tz), "UTC")
        same(f"{name} first", frame.ts.min().isoformat(), expected["first"])
        same(f"{name} last", frame.ts.max().isoformat(), expected["last"])
        same(f"{name} devices", frame.device_id.nunique(), expected["devices"])
    same("manifest rows", manifest["rows"], expected["rows"])
    same("ignition", set(one.ignition.dropna().map(type)), {bool})
    days = pandas.read_csv(folder / "days.csv", parse_dates=["day", "first_ts"])
    same("day", str(days.day.dtype)[:10], "datetime64")
    same("seconds", str(days.seconds.dtype), "int64")
    same("odometer of days", str(days.odometer_km.dtype), "float64")


def with_duckdb():
    for source in ("read_csv('{}/locations.csv')", "read_parquet('{}/locations/*.parquet')",
                   "read_parquet('{}/locations.parquet')"):
        table = source.format(folder)
        types = {name: kind for name, kind, *_ in
                 duckdb.sql(f"DESCRIBE SELECT * FROM {table}").fetchall()}
        for column in TIMES:
            same(f"{table} {column}", types[column], "TIMESTAMP WITH TIME ZONE")
        assert types["speed"] in ("FLOAT", "DOUBLE"), types["speed"]
        same(f"{table} latitude", types["latitude"], "DOUBLE")
        found = duckdb.sql(f"""SELECT count(*), count(*) FILTER (speed IS NULL),
            count(DISTINCT device_id), epoch(min(ts))::BIGINT FROM {table}""").fetchone()
        first = int(pandas.Timestamp(expected["first"]).timestamp())
        wanted = (expected["rows"], expected["speed_nulls"], expected["devices"], first)
        same(table, found, wanted)


def with_geopandas():
    points = geopandas.read_parquet(folder / "points.parquet")
    same("places", len(points), expected["placed"])
    same("kind of places", set(points.geom_type), {"Point"})
    same("reference system", points.crs.to_string(), "OGC:CRS84")
    same("east", bool((points.geometry.x == points.longitude).all()), True)
    same("north", bool((points.geometry.y == points.latitude).all()), True)
    trips = geopandas.read_parquet(folder / "trips.parquet").sort_values(["device_id", "start_ts"])
    drawn = geopandas.read_file(folder / "trips.geojson").sort_values(["device_id", "start_ts"])
    for name, frame in (("GeoParquet", trips), ("GeoJSON", drawn)):
        same(f"{name} trips", len(frame), expected["trips"])
        same(f"{name} kind", set(frame.geom_type), {"LineString"})
        same(f"{name} valid", bool(frame.is_valid.all()), True)
        same(f"{name} fixes", int(frame.geometry.count_coordinates().sum()), expected["fixes_of_trips"])
    ways = [line.coords[:] for line in trips.geometry]
    same("ways", [line.coords[:] for line in drawn.geometry], ways)
    same("start", [way[0] for way in ways], list(zip(trips.start_longitude, trips.start_latitude)))
    # Where fixes are dense the way is as long as the view says it drove.
    dense = trips.iloc[[trips.geometry.count_coordinates().argmax()]]
    way = float(dense.to_crs(dense.estimate_utm_crs()).length.iloc[0])
    told = float(dense.distance_m.iloc[0])
    assert abs(way - told) < 0.05 * told, f"a way of {way} m, told {told} m"


def with_movingpandas():
    points = geopandas.read_parquet(folder / "points.parquet")
    points["t"] = points.ts.dt.tz_localize(None)
    paths = movingpandas.TrajectoryCollection(
        points.drop_duplicates(["device_id", "ts"]), "device_id", t="t", min_length=0)
    found = {path.id: len(path.df) for path in paths.trajectories}
    same("fixes of each track", found, expected["tracks"])
    track = geopandas.read_file(folder / "trip.gpx", layer="track_points")
    way = movingpandas.Trajectory(track.assign(t=track.time.dt.tz_localize(None)), "trip", t="t")
    same("fixes of the trip", len(way.df), expected["trip"]["fixes"])
    same("time of the trip", int(way.get_duration().total_seconds()), expected["trip"]["duration_s"])
    told = expected["trip"]["distance_m"]
    assert abs(way.get_length() - told) < 0.05 * told, f"{way.get_length()} m, told {told} m"


for open_it in (with_pandas, with_duckdb, with_geopandas, with_movingpandas):
    open_it()
    print(open_it.__name__)
