"""Writes land and borders in a compact form of our own; see tools/basemap/make.

    make.py RDATA_STEM OUTPUT

The form: "TLMAP1\\n"; then twice, first for the shores of land, then for borders, a count of lines
and the lines. A line is a count of points and the points: longitude and latitude in hundredths of a
degree, each less that of the point before it (the first one less 0), zigzag-coded. All numbers are
LEB128. Lines of shores are closed: their last point is followed by the first one.
"""

import gzip
import lzma
import math
import sys
import warnings
from collections import Counter, defaultdict

import rdata

UNIT = 100
# In units: what is left out lies nearer to the line than this, 0.6 km.
TOLERANCE = 0.6
# In square units: an island of less is not drawn.
SMALLEST_ISLAND = 4


def table(stem, name):
    """Returns an object of R's lazy-loading database (made by tools:::makeLazyLoadDB)."""
    index = rdata.conversion.convert(
        rdata.parser.parse_data(gzip.open(stem + ".rdx").read())
    )
    start, length = (int(number) for number in index["variables"][name])
    with open(stem + ".rdb", "rb") as file:
        file.seek(start)
        packed = file.read(length)
    assert packed[4:5] == b"Z", "compressed in another way"
    filters = [{"id": lzma.FILTER_LZMA2, "preset": 9}]
    data = lzma.decompress(packed[5:], format=lzma.FORMAT_RAW, filters=filters)
    return rdata.conversion.convert(rdata.parser.parse_data(data))


def edges(countries):
    """Returns how many countries have each edge; an edge is a pair of points in order."""
    count = Counter()
    for country in countries.polygons:
        for ring in country.Polygons:
            points = [
                (round(float(x) * UNIT), round(float(y) * UNIT)) for x, y in ring.coords
            ]
            for first, second in zip(points, points[1:]):
                if first != second:
                    count[min(first, second), max(first, second)] += 1
    return count


def chains(edges):
    """Joins edges to lines that are as long as can be; each edge is in one of them."""
    neighbours = defaultdict(list)
    for first, second in sorted(edges):
        neighbours[first].append(second)
        neighbours[second].append(first)
    ends = [point for point in neighbours if len(neighbours[point]) % 2]
    lines = []
    # From the ends of open lines first; what remains are rings.
    for start in sorted(ends) + sorted(neighbours):
        while neighbours[start]:
            line = [start]
            while neighbours[line[-1]]:
                following = neighbours[line[-1]].pop(0)
                neighbours[following].remove(line[-1])
                line.append(following)
                if len(neighbours[following]) % 2 == 0 and following == start:
                    break
            lines.append(line)
    return lines


def distance(point, first, last):
    (x, y), (x1, y1), (x2, y2) = point, first, last
    dx, dy = x2 - x1, y2 - y1
    length = dx * dx + dy * dy
    share = 0 if length == 0 else max(0, min(1, ((x - x1) * dx + (y - y1) * dy) / length))
    return math.hypot(x - x1 - share * dx, y - y1 - share * dy)


def thinned(line):
    """Leaves points out (Douglas and Peucker); those that stay are not moved."""
    kept = [False] * len(line)
    kept[0] = kept[-1] = True
    # A ring has no two ends between which a line could be straight.
    parts = [(0, len(line) - 1)]
    if line[0] == line[-1]:
        middle = max(range(len(line)), key=lambda i: math.dist(line[i], line[0]))
        kept[middle] = True
        parts = [(0, middle), (middle, len(line) - 1)]
    while parts:
        first, last = parts.pop()
        if last - first < 2:
            continue
        far = max(range(first + 1, last), key=lambda i: distance(line[i], line[first], line[last]))
        if distance(line[far], line[first], line[last]) > TOLERANCE:
            kept[far] = True
            parts += [(first, far), (far, last)]
    return [point for point, stays in zip(line, kept) if stays]


def area(ring):
    return abs(sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in zip(ring, ring[1:]))) / 2


def append_number(number, output):
    while number > 127:
        output.append(number & 127 | 128)
        number >>= 7
    output.append(number)


def append_lines(lines, output):
    append_number(len(lines), output)
    for line in lines:
        append_number(len(line), output)
        before = (0, 0)
        for point in line:
            for value, last in zip(point, before):
                step = value - last
                append_number(step * 2 if step >= 0 else -step * 2 - 1, output)
            before = point


def main(stem, path):
    warnings.simplefilter("ignore")
    count = edges(table(stem, "countries50"))
    shores = [thinned(line) for line in chains([e for e, n in count.items() if n == 1])]
    open_shores = [line for line in shores if line[0] != line[-1]]
    assert not open_shores, f"{len(open_shores)} shores are not closed"
    shores = [line[:-1] for line in shores if len(line) > 3 and area(line) >= SMALLEST_ISLAND]
    borders = [thinned(line) for line in chains([e for e, n in count.items() if n == 2])]
    output = bytearray(b"TLMAP1\n")
    append_lines(sorted(shores), output)
    append_lines(sorted(borders), output)
    with open(path, "wb") as file:
        file.write(output)
    print(
        f"{path}: {len(output)} bytes, {len(shores)} shores of {sum(map(len, shores))} points, "
        f"{len(borders)} borders of {sum(map(len, borders))} points"
    )


main(*sys.argv[1:])
