// The fold: trips from the events of one source, by rules v1, for trips between GO and STOP. Other
// events than fixes and presses are refused, not guessed. It is written from the rules that the
// ledger's own code states, and has to give the same millimetres.
#ifndef TRACKER_H
#define TRACKER_H

#include "geodesic.h"

// Rules v1, preset phone; distances in millimetres, times in milliseconds, speeds in m/s.
enum {
    JITTER_RADIUS = 5000, SHORTEST_GAP = 30000, LONGEST_GAP = 900000, UNKNOWN_GAP = 120000,
    MEDIANS_PER_GAP = 4, REANCHOR_FIXES = 5, REANCHOR_SPAN = 15000, APPROXIMATE_START = 3000,
    MOVEMENT_RADIUS = 50000, STAY_MARGIN = 1000, SHORTEST_WAIT = 60000, NO_MOVEMENT = 2700000,
    DEVICE_OFF = 7200000,
};
#define WORST_ACCURACY 50.0
#define TOP_SPEED 60.0
#define JITTER_SPEED 1.0
#define DRIVING_SPEED 2.5

typedef enum {
    ACCEPTED, JITTER, POOR_ACCURACY, STALE, IMPOSSIBLE_SPEED, SPIKE, AFTER_GAP, NULL_COORDINATE,
    MOCK,
    VERDICTS
} verdict;

// Accuracy and speed are negative if they are not known.
typedef struct {
    int64_t at;
    coordinate place;
    double accuracy, speed;
    bool is_mock;
} fix;

typedef struct {
    verdict verdict;
    int64_t added, gap, elapsed;
    double speed;
} judgement;

// The purpose of a fold.
typedef struct {
    uint8_t id[16];
    int64_t started_at, ended_at;
    int64_t distance, gap_distance, gap_time, gaps, moving_time, sampling_interval;
    int64_t first_recorded_at, last_recorded_at;
    int64_t fixes[VERDICTS];
    double top_speed;
    coordinate start, end;
    bool has_start;
} trip;

// The median of any number of intervals, from at most 32 of them that are spread evenly.
typedef struct {
    uint32_t kept[32];
    int count;
    uint32_t stride, passed;
} interval_sample;

typedef struct {
    coordinate center;
    bool has_center;
    int64_t since, safe_until;
} stay;

typedef struct {
    fix *fixes;
    int count, capacity;
} fix_run;

typedef struct {
    // The trip in progress.
    bool is_open;
    trip trip;
    bool has_filter;
    coordinate anchor, last;
    int64_t last_at;
    bool has_latest;
    coordinate latest_place;
    int64_t latest_at;
    bool is_resting;
    trip rest;
    coordinate rest_place;
    int64_t rest_at;
    stay movement;
    interval_sample intervals;
    fix_run run;
    // The search for the start.
    bool has_oldest, has_newest, has_first_fix, has_approximation;
    fix oldest, newest;
    int64_t first_fix_at;
    coordinate approximation;
    double approximation_accuracy;
    // Kept across trips.
    int64_t ring[16];
    unsigned recorded;
    int64_t heard_at;
    int64_t latest_event_at;
    int latest_rank;
    latitude_cell filter_cell, stay_cell;
    uint32_t source;
} tracker;

// Takes a trip that has ended; defined by the program that folds.
static void take_trip(const trip *ended);

static int by_size(const void *left, const void *right) {
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

__attribute__((noinline)) static int64_t gap_limit(const tracker *state) {
    int64_t sorted[16];
    unsigned count = state->recorded < 16 ? state->recorded : 16;
    if (count < 4) return UNKNOWN_GAP;
    memcpy(sorted, state->ring, sizeof sorted);
    qsort(sorted, count, sizeof *sorted, by_size);
    int64_t twice_median = count % 2 == 0 ? sorted[count / 2 - 1] + sorted[count / 2]
                                          : 2 * sorted[count / 2];
    int64_t limit = MEDIANS_PER_GAP * twice_median / 2;
    if (limit < SHORTEST_GAP) limit = SHORTEST_GAP;
    return limit > LONGEST_GAP ? LONGEST_GAP : limit;
}

__attribute__((noinline)) static void keep_interval(interval_sample *sample, int64_t interval) {
    sample->passed = 0;
    sample->kept[sample->count++] = interval > UINT32_MAX ? UINT32_MAX : (uint32_t)interval;
    if (sample->count < 32) return;
    sample->count = 16;
    for (int index = 0; index < 16; index++) sample->kept[index] = sample->kept[2 * index + 1];
    sample->stride *= 2;
}

static int64_t median_interval(const interval_sample *sample) {
    int64_t sorted[32];
    if (sample->count == 0) return -1;
    for (int index = 0; index < sample->count; index++) sorted[index] = sample->kept[index];
    qsort(sorted, (size_t)sample->count, sizeof *sorted, by_size);
    return sorted[(sample->count - 1) / 2];
}

static inline bool allows(int64_t way, int64_t milliseconds) {
    return (double)way <= TOP_SPEED * (double)milliseconds;
}

static bool agree(tracker *state, const fix *earlier, const fix *later) {
    int64_t way = distance(&state->filter_cell, earlier->place, later->place);
    return allows(way, later->at - earlier->at);
}

static inline bool is_same(coordinate left, coordinate right) {
    return left.latitude == right.latitude && left.longitude == right.longitude;
}

static inline void keep(tracker *state, const fix *kept, bool moves_anchor) {
    state->ring[state->recorded & 15] = kept->at - state->last_at;
    if (++state->recorded == 32) state->recorded = 16;
    state->last = kept->place;
    state->last_at = kept->at;
    if (moves_anchor) state->anchor = kept->place;
}

static inline judgement judge(tracker *state, const fix *next) {
    int64_t elapsed = next->at - state->last_at;
    if (elapsed <= 0) return (judgement){.verdict = STALE};
    int64_t step = distance(&state->filter_cell, state->last, next->place);
    if (!allows(step, elapsed)) return (judgement){.verdict = IMPOSSIBLE_SPEED};
    int64_t way = is_same(state->last, state->anchor)
                      ? step
                      : distance(&state->filter_cell, state->anchor, next->place);
    judgement made = {.verdict = JITTER, .elapsed = elapsed};
    bool is_plausible = next->speed >= 0 && next->speed <= TOP_SPEED;
    bool is_slow = is_plausible ? next->speed < JITTER_SPEED
                                : (double)step < JITTER_SPEED * (double)elapsed;
    if (way >= JITTER_RADIUS || !is_slow) {
        made.speed = is_plausible ? next->speed : (double)step / (double)elapsed;
        if (elapsed > SHORTEST_GAP && elapsed > gap_limit(state)) {
            made.verdict = AFTER_GAP;
            made.gap = step;
        } else {
            made.verdict = ACCEPTED;
            made.added = way;
        }
    }
    keep(state, next, made.verdict != JITTER);
    return made;
}

__attribute__((noinline)) static bool measure_stay(
    tracker *state, const fix *next, int64_t travelled) {
    stay *place = &state->movement;
    if (place->has_center) {
        int64_t way = distance(&state->stay_cell, place->center, next->place);
        if (way <= MOVEMENT_RADIUS) {
            place->safe_until = travelled + MOVEMENT_RADIUS - way - STAY_MARGIN;
            return false;
        }
    }
    place->center = next->place;
    place->has_center = true;
    place->since = next->at;
    place->safe_until = travelled + MOVEMENT_RADIUS - STAY_MARGIN;
    return true;
}

static inline bool is_moving(tracker *state, const fix *next, const judgement *made) {
    if (made->verdict != ACCEPTED && made->verdict != AFTER_GAP) return false;
    if (made->gap > 0) state->movement.safe_until = 0;
    int64_t travelled =
        state->trip.distance + state->trip.gap_distance + made->added + made->gap;
    bool has_left = travelled >= state->movement.safe_until && measure_stay(state, next, travelled);
    return has_left || made->speed >= DRIVING_SPEED;
}

static trip measured(const tracker *state) {
    trip copy = state->trip;
    copy.sampling_interval = median_interval(&state->intervals);
    return copy;
}

// Counts a fix whose verdict is final.
static inline void settle(tracker *state, const fix *decided, judgement made) {
    if (is_moving(state, decided, &made)) {
        state->is_resting = false;
    } else if (!state->is_resting && state->has_latest) {
        state->is_resting = true;
        state->rest = measured(state);
        state->rest_place = state->latest_place;
        state->rest_at = state->latest_at;
    }
    trip *trip = &state->trip;
    trip->fixes[made.verdict]++;
    if (made.verdict == ACCEPTED) {
        trip->distance += made.added;
        trip->moving_time += made.elapsed;
        if (made.speed > trip->top_speed) trip->top_speed = made.speed;
    } else if (made.verdict == AFTER_GAP) {
        trip->gaps++;
        trip->gap_time += made.elapsed;
        trip->gap_distance += made.gap;
    } else if (made.verdict != JITTER) {
        return;
    }
    if (made.elapsed > 0 && ++state->intervals.passed == state->intervals.stride) {
        keep_interval(&state->intervals, made.elapsed);
    }
    state->has_latest = true;
    state->latest_place = decided->place;
    state->latest_at = decided->at;
}

static void add_to_run(fix_run *run, const fix *next) {
    if (run->count == run->capacity) {
        run->capacity = run->capacity ? 2 * run->capacity : 16;
        run->fixes = realloc(run->fixes, (size_t)run->capacity * sizeof *run->fixes);
        if (!run->fixes) fail("out of memory");
    }
    run->fixes[run->count++] = *next;
}

static void disprove_run(tracker *state) {
    for (int index = 0; index < state->run.count; index++) {
        settle(state, &state->run.fixes[index], (judgement){.verdict = IMPOSSIBLE_SPEED});
    }
    state->run.count = 0;
}

static void consider(tracker *state, const fix *next, judgement made);

// Believes the run: its first fix ends a gap, the others count by the usual rules.
static void reanchor(tracker *state) {
    fix_run believed = state->run;
    state->run = (fix_run){0};
    const fix *first = &believed.fixes[0];
    judgement jump = {
        .verdict = AFTER_GAP,
        .gap = distance(&state->filter_cell, state->last, first->place),
        .elapsed = first->at - state->last_at,
    };
    keep(state, first, true);
    settle(state, first, jump);
    for (int index = 1; index < believed.count; index++) {
        consider(state, &believed.fixes[index], judge(state, &believed.fixes[index]));
    }
    free(believed.fixes);
}

// Takes a judged fix, which may begin, extend, complete or end a run of impossible ones.
__attribute__((noinline)) static void consider(tracker *state, const fix *next, judgement made) {
    if (made.verdict != IMPOSSIBLE_SPEED) {
        if (made.verdict != STALE) disprove_run(state);
        settle(state, next, made);
        return;
    }
    fix_run *run = &state->run;
    if (run->count > 0) {
        if (next->at <= run->fixes[run->count - 1].at) {
            settle(state, next, (judgement){.verdict = STALE});
            return;
        }
        if (!agree(state, &run->fixes[run->count - 1], next)) disprove_run(state);
    }
    add_to_run(run, next);
    if (run->count >= REANCHOR_FIXES
        && run->fixes[run->count - 1].at - run->fixes[0].at >= REANCHOR_SPAN) {
        reanchor(state);
    }
}

static void set_start(tracker *state, const fix *first) {
    bool is_soon = first && state->has_first_fix
                   && first->at - state->first_fix_at <= APPROXIMATE_START;
    if (!is_soon && state->has_approximation) {
        state->trip.start = state->approximation;
        state->trip.has_start = true;
    } else if (first) {
        state->trip.start = first->place;
        state->trip.has_start = true;
    }
}

// Starts measuring at a fix.
static void begin(tracker *state, const fix *first) {
    set_start(state, first);
    state->has_oldest = state->has_newest = state->has_first_fix = false;
    state->has_approximation = false;
    state->has_filter = true;
    state->anchor = state->last = first->place;
    state->last_at = first->at;
    settle(state, first, (judgement){.verdict = ACCEPTED});
}

// Looks for the start with a usable fix: the first that a later one confirms.
__attribute__((noinline)) static void search(tracker *state, const fix *next) {
    if (state->has_oldest
        && next->at <= (state->has_newest ? &state->newest : &state->oldest)->at) {
        settle(state, next, (judgement){.verdict = STALE});
        return;
    }
    if (!state->has_first_fix) state->first_fix_at = next->at, state->has_first_fix = true;
    if (!state->has_oldest) {
        state->oldest = *next, state->has_oldest = true;
        return;
    }
    fix first = state->oldest, second = state->newest;
    bool had_second = state->has_newest;
    if (agree(state, &first, next)) {
        begin(state, &first);
        if (had_second) consider(state, &second, judge(state, &second));
        consider(state, next, judge(state, next));
        return;
    }
    if (!had_second) {
        state->newest = *next, state->has_newest = true;
        return;
    }
    settle(state, &first, (judgement){.verdict = IMPOSSIBLE_SPEED});
    if (agree(state, &second, next)) {
        begin(state, &second);
        consider(state, next, judge(state, next));
    } else {
        state->oldest = second;
        state->newest = *next;
    }
}

static void take_flawed(tracker *state, const fix *next, verdict flaw) {
    if (!state->has_filter && flaw == POOR_ACCURACY) {
        if (!state->has_first_fix) state->first_fix_at = next->at, state->has_first_fix = true;
        bool is_better = !state->has_approximation
                         || next->accuracy < state->approximation_accuracy;
        if (is_better && next->at - state->first_fix_at <= APPROXIMATE_START) {
            state->approximation = next->place;
            state->approximation_accuracy = next->accuracy;
            state->has_approximation = true;
        }
    }
    settle(state, next, (judgement){.verdict = flaw});
}

static inline void take_in_trip(tracker *state, const fix *next) {
    if (next->is_mock) {
        take_flawed(state, next, MOCK);
    } else if (next->place.latitude == 0 || next->place.longitude == 0) {
        take_flawed(state, next, NULL_COORDINATE);
    } else if (next->accuracy > WORST_ACCURACY) {
        take_flawed(state, next, POOR_ACCURACY);
    } else if (state->has_filter) {
        judgement made = judge(state, next);
        bool is_kept = made.verdict == ACCEPTED || made.verdict == JITTER
                       || made.verdict == AFTER_GAP;
        if (is_kept && state->run.count == 0) {
            settle(state, next, made);
        } else {
            consider(state, next, made);
        }
    } else {
        search(state, next);
    }
}

// Ends all waiting, as if no fix came any more.
static void decide(tracker *state) {
    if (state->has_oldest) {
        fix first = state->oldest, second = state->newest;
        bool had_second = state->has_newest;
        begin(state, &first);
        if (had_second) consider(state, &second, judge(state, &second));
    } else if (!state->has_filter) {
        set_start(state, NULL);
    }
    disprove_run(state);
}

static void close_trip(tracker *state, const trip *ended) {
    state->is_open = false;
    take_trip(ended);
}

// Ends the trip at its last kept fix, or where it last moved.
static void end_at_fix(tracker *state, bool is_at_rest) {
    decide(state);
    trip ended = measured(state);
    if (!state->has_latest) {
        ended.ended_at = ended.started_at;
    } else if (is_at_rest && state->is_resting) {
        ended = state->rest;
        ended.end = state->rest_place, ended.ended_at = state->rest_at;
    } else {
        ended.end = state->latest_place, ended.ended_at = state->latest_at;
    }
    close_trip(state, &ended);
}

static inline bool has_not_moved(const tracker *state, int64_t at) {
    return state->is_open && at - state->movement.since >= NO_MOVEMENT;
}

// Lets time pass to the next event, in whose order it has to come.
static inline void pass(tracker *state, int64_t at, int rank) {
    if (at < state->latest_event_at
        || (at == state->latest_event_at && rank <= state->latest_rank)) {
        fail("an event that is late: this program folds in order of arrival");
    }
    state->latest_event_at = at;
    state->latest_rank = rank;
    if (state->is_open && at - state->heard_at >= DEVICE_OFF) end_at_fix(state, false);
}

enum { GO_RANK = 1, FIX_RANK = 3, STOP_RANK = 4 };

static inline void note_recorded(tracker *state, int64_t recorded_at) {
    if (recorded_at > state->trip.last_recorded_at) state->trip.last_recorded_at = recorded_at;
}

static inline void take_fix(tracker *state, const fix *next, int64_t recorded_at) {
    pass(state, next->at, FIX_RANK);
    state->heard_at = next->at;
    if (!state->is_open) return;
    take_in_trip(state, next);
    note_recorded(state, recorded_at);
    if (has_not_moved(state, next->at)) end_at_fix(state, true);
}

// `id` begins with the 16 bytes that name the trip which the press opens.
static void press_go(tracker *state, int64_t at, int64_t recorded_at, const uint8_t *id) {
    pass(state, at, GO_RANK);
    state->heard_at = at;
    if (has_not_moved(state, at)) end_at_fix(state, true);
    if (state->is_open) return;
    state->is_open = true;
    state->trip = (trip){.started_at = at, .first_recorded_at = recorded_at,
                         .last_recorded_at = recorded_at};
    memcpy(state->trip.id, id, sizeof state->trip.id);
    state->movement = (stay){.since = at};
    state->intervals = (interval_sample){.stride = 1};
    state->has_filter = state->has_latest = state->is_resting = false;
    state->has_oldest = state->has_newest = state->has_first_fix = false;
    state->has_approximation = false;
    state->run.count = 0;
}

static void press_stop(tracker *state, int64_t at, int64_t recorded_at) {
    pass(state, at, STOP_RANK);
    state->heard_at = at;
    if (!state->is_open) return;
    decide(state);
    note_recorded(state, recorded_at);
    trip ended = measured(state);
    ended.end = state->latest_place;
    ended.ended_at = at;
    close_trip(state, &ended);
}

#endif
