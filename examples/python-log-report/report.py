"""Reports on an access log: requests, errors and slow paths."""

import csv
import sys
from collections import Counter, defaultdict
from statistics import mean, quantiles


def read(path):
    with open(path, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            try:
                yield row["time"], row["path"], int(row["status"]), float(row["ms"])
            except (KeyError, TypeError, ValueError) as problem:
                print(f"skipped: {row} ({problem})", file=sys.stderr)


def percentile(values, percent):
    if len(values) == 1:
        return values[0]
    return quantiles(values, n=100, method="inclusive")[percent - 1]


def main(path):
    statuses = Counter()
    hours = Counter()
    times = defaultdict(list)
    failing = Counter()
    for time, where, status, ms in read(path):
        statuses[status // 100] += 1
        hours[time[11:13]] += 1
        times[where].append(ms)
        if status >= 500:
            failing[where] += 1

    total = sum(statuses.values())
    if total == 0:
        sys.exit("no requests")
    print(f"{total} requests")
    for group in sorted(statuses):
        print(f"  {group}xx {statuses[group]:4} {100 * statuses[group] / total:5.1f} %")
    busiest, count = max(hours.items(), key=lambda hour: (hour[1], hour[0]))
    print(f"busiest hour {busiest}:00 with {count}")

    print("slowest paths (mean, 95 %)")
    for where in sorted(times, key=lambda one: -mean(times[one]))[:3]:
        print(f"  {where:12} {mean(times[where]):7.1f} {percentile(times[where], 95):7.1f} ms")
    print("server errors")
    for where, count in failing.most_common():
        print(f"  {where:12} {count}")


if __name__ == "__main__":
    main(sys.argv[1])
