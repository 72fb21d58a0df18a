// Whole millimetres between two fixes, by the same formulas and so with the same bits as the
// ledger's: flat on WGS-84 below 1 km, Gauss's mid-latitude method up to 10 km (Rapp, "Geometric
// geodesy", part I, 1991, section 3.5; part II, 1993, section 1.6).
#ifndef GEODESIC_H
#define GEODESIC_H

#include "log.h"
#include <math.h>

typedef struct {
    double latitude, longitude;
} coordinate;

#define FLATTENING (1 / 298.257223563)
#define ECCENTRICITY_SQUARED (FLATTENING * (2 - FLATTENING))
#define SECOND_ECCENTRICITY_SQUARED (ECCENTRICITY_SQUARED / (1 - ECCENTRICITY_SQUARED))
#define EQUATORIAL_RADIUS 6378137.0
#define DEGREE (3.14159265358979323846 / 180)

// The lengths of a degree in a band of latitude 0.01° high.
typedef struct {
    int64_t index;
    double center;
    double north, north_slope;
    double east, east_slope, east_curvature;
    double sine, sine_slope;
} latitude_cell;

static inline double sine_of(double radians) {
    double square = radians * radians, factor = 1;
    for (int order = 16; order >= 2; order -= 2) {
        factor = 1 - square / (double)(order * (order + 1)) * factor;
    }
    return radians * factor;
}

static inline double cosine_of(double radians) {
    double square = radians * radians, sum = 1;
    for (int order = 15; order >= 1; order -= 2) {
        sum = 1 - square / (double)(order * (order + 1)) * sum;
    }
    return sum;
}

__attribute__((noinline)) static void make_cell(latitude_cell *cell, int64_t index) {
    double center = ((double)index + 0.5) / 100 - 90, size = fabs(center), sine, cosine;
    if (size <= 45) {
        double angle = size * DEGREE;
        sine = center < 0 ? -sine_of(angle) : sine_of(angle);
        cosine = cosine_of(angle);
    } else {
        double complement = (90 - size) * DEGREE;
        sine = center < 0 ? -cosine_of(complement) : cosine_of(complement);
        cosine = sine_of(complement);
    }
    double square = 1 - ECCENTRICITY_SQUARED * sine * sine;
    double normal = EQUATORIAL_RADIUS / sqrt(square);
    double meridian = normal * (1 - ECCENTRICITY_SQUARED) / square;
    double slope = 3 * ECCENTRICITY_SQUARED * meridian * sine * cosine / square;
    *cell = (latitude_cell){
        .index = index,
        .center = center,
        .north = meridian * DEGREE,
        .north_slope = slope * DEGREE * DEGREE,
        .east = normal * cosine * DEGREE,
        .east_slope = -meridian * sine * DEGREE * DEGREE,
        .east_curvature = -(meridian * cosine + slope * sine) / 2 * DEGREE * DEGREE * DEGREE,
        .sine = sine,
        .sine_slope = cosine * DEGREE,
    };
}

static inline double longitude_difference(coordinate start, coordinate end) {
    double difference = end.longitude - start.longitude;
    if (difference > 180) return difference - 360;
    if (difference < -180) return difference + 360;
    return difference;
}

__attribute__((noinline)) static double mid_latitude_meters(
    const latitude_cell *cell, double north, double east, coordinate start, coordinate end) {
    double middle = (start.latitude + end.latitude) / 2;
    double sine = cell->sine + cell->sine_slope * (middle - cell->center);
    double sine_squared = sine * sine, cosine_squared = 1 - sine_squared;
    double eta_squared = SECOND_ECCENTRICITY_SQUARED * cosine_squared;
    double eta_tangent_squared = SECOND_ECCENTRICITY_SQUARED * sine_squared;
    double fourth_power = (1 + eta_squared) * (1 + eta_squared);
    double latitude = (end.latitude - start.latitude) * DEGREE;
    double longitude = longitude_difference(start, end) * DEGREE;
    double latitude_squared = latitude * latitude / fourth_power;
    double longitude_squared = longitude * longitude;
    double east_correction =
        latitude_squared * (1 + eta_squared - 9 * eta_tangent_squared) / 24
        - longitude_squared * sine_squared / 24;
    double north_correction =
        latitude_squared * (eta_squared - eta_tangent_squared) / 8
        - longitude_squared * (cosine_squared * (2 + 2 * eta_squared) + 3 * sine_squared) / 24;
    north = north * (1 + north_correction);
    east = east * (1 + east_correction);
    return sqrt(north * north + east * east);
}

// Millimetres from one place to another, with the cell that measured the last ones.
static inline int64_t distance(latitude_cell *cell, coordinate start, coordinate end) {
    double middle = (start.latitude + end.latitude) / 2;
    int64_t index = (int64_t)((middle + 90) * 100);
    if (index != cell->index || cell->north == 0) make_cell(cell, index);
    double offset = middle - cell->center;
    double north = (end.latitude - start.latitude) * (cell->north + cell->north_slope * offset);
    double east = longitude_difference(start, end)
                  * (cell->east + (cell->east_slope + cell->east_curvature * offset) * offset);
    double square = north * north + east * east;
    if (fabs(start.latitude) >= 85 || fabs(end.latitude) >= 85 || square >= 1e8) {
        fail("further apart than 10 km, or beyond 85 degrees: this program does not measure that");
    }
    double meters = square < 1e6 ? sqrt(square)
                                 : mid_latitude_meters(cell, north, east, start, end);
    return (int64_t)(meters * 1000 + 0.5);
}

#endif
