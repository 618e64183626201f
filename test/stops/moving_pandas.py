"""Stops, trips and meters that MovingPandas finds in tracks: JSON on standard input and output.

In: {"diameter_m": 60, "trip_m": 200, "tracks": [[[second, latitude, longitude], ...], ...]}; out:
for each track {"stops": [[from, to], ...], "trips": [[from, to], ...], "meters": ...}. Trips are
what lies between the stops and has a length of trip_m; meters are those of all between them.
"""
import json
import sys
import warnings
from datetime import timedelta

import movingpandas
import pandas

warnings.filterwarnings("ignore")
asked = json.load(sys.stdin)
found = []


def span(start, end):
    return [int(start.timestamp()), int(end.timestamp())]


for number, fixes in enumerate(asked["tracks"]):
    frame = pandas.DataFrame(fixes, columns=["second", "y", "x"])
    frame["t"] = pandas.to_datetime(frame["second"], unit="s")
    track = movingpandas.Trajectory(frame, number, t="t", x="x", y="y", crs="EPSG:4326")
    rules = {"max_diameter": asked["diameter_m"], "min_duration": timedelta(seconds=300)}
    stops = movingpandas.TrajectoryStopDetector(track).get_stop_time_ranges(**rules)
    between = [(part, float(part.get_length()))
               for part in movingpandas.StopSplitter(track).split(**rules)]
    found.append({
        "stops": [span(stop.t_0, stop.t_n) for stop in stops],
        "trips": [span(part.get_start_time(), part.get_end_time())
                  for part, meters in between if meters >= asked["trip_m"]],
        "meters": sum(meters for _, meters in between),
    })
json.dump(found, sys.stdout)
