// Runs a program again and again, and prints what each run cost: seconds from start to end, seconds
// of the processor, and peak memory in bytes.
//
//     launch [-n RUNS] [-i INPUT] [-o OUTPUT] PROGRAM ARGUMENT…
//
// `%d` in the input's name or an argument is the number of the run, counted from 0. The parent
// of a program counts in its peak memory and in the time of its start, so this one is small.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static double seconds(struct timeval time) {
    return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

static char *numbered(const char *text, int run) {
    const char *place = strstr(text, "%d");
    char *result;
    int status = place ? asprintf(&result, "%.*s%d%s", (int)(place - text), text, run, place + 2)
                       : asprintf(&result, "%s", text);
    if (status < 0) abort();
    return result;
}

static int run_once(int run, const char *input, const char *output, char **arguments, int count) {
    char **numbered_arguments = calloc((size_t)count + 1, sizeof *numbered_arguments);
    for (int index = 0; index < count; index++) {
        numbered_arguments[index] = numbered(arguments[index], run);
    }
    char *numbered_input = numbered(input, run);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, numbered_input, O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    struct rusage usage;
    int status;
    pid_t child;
    double start = seconds_now();
    int error = posix_spawnp(
        &child, numbered_arguments[0], &actions, NULL, numbered_arguments, environ);
    if (error != 0) {
        fprintf(stderr, "launch: %s: %s\n", numbered_arguments[0], strerror(error));
        return 1;
    }
    while (wait4(child, &status, 0, &usage) < 0 && errno == EINTR) {}
    double end = seconds_now();
    printf("%.7f %.6f %ld\n", end - start, seconds(usage.ru_utime) + seconds(usage.ru_stime),
           usage.ru_maxrss * 1024);
    for (int index = 0; index < count; index++) free(numbered_arguments[index]);
    free(numbered_arguments);
    free(numbered_input);
    posix_spawn_file_actions_destroy(&actions);
    if (WIFSIGNALED(status)) {
        fprintf(stderr, "launch: %s: signal %d\n", arguments[0], WTERMSIG(status));
        return 1;
    }
    return WEXITSTATUS(status);
}

int main(int count, char **arguments) {
    int runs = 1, option;
    const char *input = "/dev/null", *output = "/dev/null";
    while ((option = getopt(count, arguments, "+n:i:o:")) != -1) {
        if (option == 'n') {
            runs = atoi(optarg);
        } else if (option == 'i') {
            input = optarg;
        } else if (option == 'o') {
            output = optarg;
        } else {
            return 64;
        }
    }
    if (optind >= count) return 64;
    for (int run = 0; run < runs; run++) {
        int status = run_once(run, input, output, arguments + optind, count - optind);
        if (status != 0) return status;
    }
    return 0;
}
