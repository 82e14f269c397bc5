# Shared by ./check (sourced): counts what Surefire reported.

passed=0 failed=0 skipped=0
failures=() skips=()

# fail TEXT: something beside the tests failed.
fail() {
  failed=$((failed + 1))
  failures+=("$1")
}

# count_reports WHO FOLDER: adds up every report below FOLDER/*/target/surefire-reports.
count_reports() {
  local who=$1 folder=$2 kind name reason
  while IFS=$'\t' read -r kind name reason; do
    case $kind in
      passed) passed=$((passed + 1)) ;;
      failed)
        failed=$((failed + 1))
        failures+=("$name (as $who)${reason:+: $reason}")
        ;;
      skipped)
        skipped=$((skipped + 1))
        skips+=("$name (as $who): ${reason:-no reason given}")
        ;;
    esac
  done < <(find "$folder" -path '*/target/surefire-reports/TEST-*.xml' -exec cat {} + | read_reports)
}

# Turns Surefire's XML (one element a line, attributes escaped) into lines: verdict, name, reason.
# Output of a test may look like anything, so it is left out.
read_reports() {
  awk '
    function attribute(text, name,   at) {
      if (!match(text, "[ \t]" name "=\"[^\"]*\"")) return ""
      text = substr(text, RSTART + length(name) + 3, RLENGTH - length(name) - 4)
      gsub(/&#10;|&#9;|&#13;/, " ", text)
      gsub(/&lt;/, "<", text); gsub(/&gt;/, ">", text); gsub(/&quot;/, "\"", text)
      gsub(/&apos;/, "\047", text); gsub(/&amp;/, "\\&", text)
      return text
    }
    function end_case() {
      if (name != "") print verdict "\t" name "\t" substr(reason, 1, 300)
      name = ""
    }
    /<system-(out|err)>/ { quiet = 1 }
    quiet { if (/<\/system-(out|err)>/) quiet = 0; next }
    /^[ \t]*<testcase / {
      end_case()
      name = attribute($0, "classname") "." attribute($0, "name")
      verdict = "passed"; reason = ""
    }
    # The message, else the first line of the trace without the class of the exception.
    function because(line,   text) {
      text = attribute(line, "message")
      if (text == "" && sub(/^.*<!\[CDATA\[/, "", line)) {
        sub(/^[A-Za-z0-9_.$]+(Exception|Error): /, "", line)
        text = line
      }
      return text
    }
    /^[ \t]*<(failure|error)[ >\/]/ { verdict = "failed"; reason = because($0) }
    /^[ \t]*<skipped[ >\/]/ { verdict = "skipped"; reason = because($0) }
    /<\/testcase>|<testcase [^>]*\/>/ { end_case() }
    /<\/testsuite>/ { end_case() }
  '
}

# finish: says what was skipped and what failed, the sums last, and ends the script.
finish() {
  local line
  printf '\n'
  if ((${#skips[@]} > 0)); then
    printf 'Skipped:\n'
    for line in "${skips[@]}"; do printf '  %s\n' "$line"; done
  fi
  if ((${#failures[@]} > 0)); then
    printf 'Failed:\n'
    for line in "${failures[@]}"; do printf '  %s\n' "$line"; done
  fi
  printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
  ((failed == 0 && passed > 0)) || ((failed == 0 && ${vm:-0})) # machines that cannot be had are skipped
  exit
}
