"""Trips as other programs find them; runs in the environment that `labelled --peers` names.

trackintel takes for a trip what lies between two stays, movingpandas what lies between two stops or
gaps. Both take a stay for 5 minutes within 100 m, and a gap for 15 minutes. movingpandas gets one
fix in 5 seconds: its time grows with the square of their number.
"""

import json
import sys
import warnings
from datetime import timedelta

import geopandas
import movingpandas
import pandas
import trackintel
from shapely.geometry import Point

STAY_METERS = 100
STAY_MINUTES = 5
GAP_MINUTES = 15
THINNED_SECONDS = 5


def frame(fixes):
    times = pandas.to_datetime([fix[0] for fix in fixes], unit="s", utc=True)
    return geopandas.GeoDataFrame(
        {"tracked_at": times, "user_id": 0},
        geometry=[Point(longitude, latitude) for _, latitude, longitude in fixes],
        crs="EPSG:4326")


def between_stays(fixes):
    """Returns the trips of trackintel, as pairs of seconds since 1970."""
    fixes = trackintel.Positionfixes(frame(fixes))
    fixes, stays = fixes.generate_staypoints(
        method="sliding", dist_threshold=STAY_METERS, time_threshold=STAY_MINUTES,
        gap_threshold=GAP_MINUTES)
    if stays.empty:
        return [(fixes.tracked_at.min().timestamp(), fixes.tracked_at.max().timestamp())]
    fixes, legs = fixes.generate_triplegs(stays, gap_threshold=GAP_MINUTES)
    return [
        (start.timestamp(), end.timestamp())
        for start, end in zip(legs.started_at, legs.finished_at)]


def between_stops(fixes):
    """Returns the trips of movingpandas, as pairs of seconds since 1970."""
    thinned = fixes[:1]
    for fix in fixes:
        if fix[0] - thinned[-1][0] >= THINNED_SECONDS:
            thinned.append(fix)
    points = frame(thinned)
    points["time"] = points.tracked_at.dt.tz_localize(None)
    whole = movingpandas.TrajectoryCollection(
        points.drop(columns="tracked_at"), "user_id", t="time")
    parts = movingpandas.ObservationGapSplitter(whole).split(gap=timedelta(minutes=GAP_MINUTES))
    trips = []
    for part in parts.trajectories:
        split = movingpandas.StopSplitter(part).split(
            max_diameter=STAY_METERS, min_duration=timedelta(minutes=STAY_MINUTES))
        for trip in split.trajectories:
            times = trip.df.index
            trips.append(tuple(
                time.tz_localize("UTC").timestamp() for time in (times[0], times[-1])))
    return trips


PEERS = {"trackintel": between_stays, "movingpandas": between_stops}


def main():
    warnings.filterwarnings("ignore")
    find = PEERS[sys.argv[1]]
    for line in sys.stdin:
        fixes = json.loads(line)
        print(json.dumps(find(fixes) if len(fixes) > 2 else []), flush=True)


main()
