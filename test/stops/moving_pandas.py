"""Stops and meters that MovingPandas finds in tracks: JSON on standard input and output.

In: {"diameter_m": 60, "tracks": [[[second, latitude, longitude], ...], ...]}; out: for each track
{"stops": [[from, to], ...], "meters": length of what lies between the stops}.
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
for number, fixes in enumerate(asked["tracks"]):
    frame = pandas.DataFrame(fixes, columns=["second", "y", "x"])
    frame["t"] = pandas.to_datetime(frame["second"], unit="s")
    track = movingpandas.Trajectory(frame, number, t="t", x="x", y="y", crs="EPSG:4326")
    rules = {"max_diameter": asked["diameter_m"], "min_duration": timedelta(seconds=300)}
    stops = movingpandas.TrajectoryStopDetector(track).get_stop_time_ranges(**rules)
    between = movingpandas.StopSplitter(track).split(**rules)
    found.append({
        "stops": [[int(stop.t_0.timestamp()), int(stop.t_n.timestamp())] for stop in stops],
        "meters": float(sum(part.get_length() for part in between)),
    })
json.dump(found, sys.stdout)
