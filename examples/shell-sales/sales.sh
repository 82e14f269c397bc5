#!/bin/sh
# Sales by region and by article from a table of tab-separated values.
set -eu

table=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# What is no number of pieces and no price is reported and left out.
tail -n +2 "$table" |
  awk -F '\t' -v bad="$work/bad" '
    NF == 5 && $4 ~ /^[0-9]+$/ && $5 ~ /^[0-9]+(\.[0-9]+)?$/ { print; next }
    { print > bad }
  ' >"$work/good"

echo "by region"
awk -F '\t' '{ sum[$2] += $4 * $5 } END { for (r in sum) printf "%s\t%.2f\n", r, sum[r] }' "$work/good" |
  sort -t "$(printf '\t')" -k2,2nr |
  awk -F '\t' '{ printf "  %-8s %9.2f\n", $1, $2 }'

echo "three best articles"
cut -f 3,4 "$work/good" |
  sort |
  awk -F '\t' '
    $1 != last { if (last != "") print count "\t" last; last = $1; count = 0 }
    { count += $2 }
    END { if (last != "") print count "\t" last }
  ' |
  sort -k1,1nr -k2,2 |
  head -n 3 |
  sed 's/^/  /'

echo "days"
cut -f 1 "$work/good" | sort -u | wc -l | tr -d ' '
if [ -s "$work/bad" ]; then
  echo "left out: $(wc -l <"$work/bad" | tr -d ' ')" >&2
fi
