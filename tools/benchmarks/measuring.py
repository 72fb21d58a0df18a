"""How programs are run and what a run costs."""

import statistics
import subprocess
import sys
from dataclasses import dataclass

failures = []


def expect(is_met, sentence):
    """Notes what is wrong with a result; figures of wrong results are worth nothing."""
    if not is_met:
        failures.append(sentence)
        print(f"FAILED: {sentence}", file=sys.stderr)


@dataclass
class Cost:
    """What one run of a program cost."""

    seconds: float
    processor_seconds: float
    peak_bytes: int


def command_line(command):
    return [str(part) for part in command]


def run(command, **options):
    """Runs a program that is not measured, and returns its output."""
    result = subprocess.run(
        command_line(command), stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)
    if result.returncode != 0:
        sys.stderr.buffer.write(result.stderr)
        sys.exit(f"benchmarks: exit code {result.returncode}: {' '.join(command_line(command))}")
    return result.stdout


class Launcher:
    """Runs programs from a small one, so that neither the start nor the peak memory is Python's."""

    def __init__(self, program):
        self.program = program

    def costs(self, command, runs=1, stdin="/dev/null", stdout="/dev/null"):
        """Runs a program to its end, again and again; returns what each run cost."""
        output = run(
            [self.program, "-n", runs, "-i", stdin, "-o", stdout, *command_line(command)])
        return [
            Cost(float(seconds), float(processor), int(peak))
            for seconds, processor, peak in map(str.split, output.decode().splitlines())
        ]

    def cost(self, command, **options):
        return self.costs(command, **options)[0]


def in_turns(rounds, runs):
    """Calls each function of `runs` once a round, and returns its results by name.

    The programs that are compared take turns, for machines are noisy.
    """
    results = {name: [] for name in runs}
    for _ in range(rounds):
        for name, once in runs.items():
            results[name].append(once())
    return results


def median_seconds(costs):
    return statistics.median(cost.seconds for cost in costs)


def peak_bytes(costs):
    return max(cost.peak_bytes for cost in costs)
