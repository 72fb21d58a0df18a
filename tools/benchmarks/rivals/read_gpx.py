#!/usr/bin/env python3
"""Reads a GPX file with gpxpy, and says how many points of tracks it has."""

import sys

import gpxpy


def main(path):
    with open(path) as file:
        print(gpxpy.parse(file).get_track_points_no())


main(sys.argv[1])
