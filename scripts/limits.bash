# Shared by ./check (sourced): runs the attacks on limits in the environments that have to be made first.
# docs/limits.md has the table of all six; two are this machine's root and its ordinary user.

: "${root:?}" "${java_home:=}" "${logs:=}" # set by ./check

limits_folder=

# prepare_limits: everything that the attacks need, readable for every user, in $limits_folder.
prepare_limits() {
  local list entry classpath=
  [[ -z $limits_folder ]] || return 0
  limits_folder=$(mktemp -d "${TMPDIR:-/tmp}/zett-check.XXXXXXXX")
  list=$limits_folder/list
  mkdir "$limits_folder/lib"
  run_maven --quiet -Pcompiled -pl core dependency:build-classpath -Dmdep.includeScope=test \
    -Dmdep.outputFile="$list" >&2 || return 1
  cp -r "$root/core/target/classes" "$root/core/target/test-classes" "$limits_folder/lib/"
  classpath=./lib/test-classes:./lib/classes
  while IFS= read -r -d : entry; do
    cp "$entry" "$limits_folder/lib/"
    classpath+=:./lib/${entry##*/}
  done < <(cat "$list" && printf ':')
  printf '%s' "$classpath" >"$limits_folder/cp"
  printf '%s' "$java_home/bin/java" >"$limits_folder/java"
  "${CC:-cc}" -O1 -pthread -o "$limits_folder/attacker" \
    "$root/core/src/test/resources/io/zett/sandbox/limits/attacks/attacker.c" || return 1
  cp "$root/scripts/test-logging.properties" "$limits_folder/"
  cp "$root/docs/limits.md" "$limits_folder/limits.md"
  chmod -R a+rX "$limits_folder"
}

# Run by the trap of ./check.
# shellcheck disable=SC2317
remove_limits_folder() {
  [[ -z $limits_folder ]] || rm -rf --one-file-system "$limits_folder"
}

# limits_place NAME: a folder in which any user may write what the attacks say; prints it.
limits_place() {
  local place=$limits_folder/$1
  mkdir -p "$place/findings"
  ln -s ../lib ../cp ../java ../attacker ../test-logging.properties ../limits.md "$place/"
  : >"$place/results.tsv"
  : >"$place/outside.tsv"
  chmod 777 "$place" "$place/findings"
  chmod 666 "$place"/*.tsv
  printf '%s\n' "$place"
}

# count_lines WHO FILE LOG: adds up what the attacks said; a run that did not reach its end failed.
count_lines() {
  local who=$1 file=$2 log=$3 verdict name reason complete=
  while IFS=$'\t' read -r verdict name reason; do
    case $verdict in
      passed) passed=$((passed + 1)) ;;
      failed)
        failed=$((failed + 1))
        failures+=("$name ($who): $reason")
        ;;
      skipped)
        skipped=$((skipped + 1))
        skips+=("$name ($who): $reason")
        ;;
      complete) complete=1 ;;
    esac
  done <"$file"
  if [[ -z $complete ]]; then
    fail "the attacks ($who) did not come to their end"
    tail -n 30 "$log"
  fi
}

# skip WHAT REASON
skip() {
  skipped=$((skipped + 1))
  skips+=("$1: $2")
}

# keep_findings PLACE: where the table is made from.
keep_findings() {
  mkdir -p "$root/core/target/limits"
  cp "$1"/findings/*.md "$root/core/target/limits/" 2>/dev/null || :
}

# ---- a user with a group of its own in each tree of version 1 ----

trees=(memory pids cpu cpuacct)

# own_tree_group TREE: the directory of the group that this shell is in.
own_tree_group() {
  local line
  while IFS= read -r line; do
    if [[ $line == *:"$1":* ]]; then
      printf '/sys/fs/cgroup/%s%s\n' "$1" "${line#*:*:}"
      return
    fi
  done </proc/self/cgroup
  return 1
}

# shellcheck disable=SC2317 # called in a subshell
attack_in_own_groups() {
  local place=$1 tree group
  for tree in "${trees[@]}"; do
    group=$(own_tree_group "$tree")/$own_group || return 1
    printf '%d\n' "$BASHPID" >"$group/tasks" || return 1
  done
  cd "$place" || return 1
  exec setpriv --reuid=1000 --regid=1000 --clear-groups env -i HOME="$place" USER=zett LANG=C.UTF-8 \
    PATH=/usr/local/bin:/usr/bin:/bin "$java_home/bin/java" -XX:TieredStopAtLevel=1 -XX:+UseSerialGC \
    --enable-native-access=ALL-UNNAMED -Djava.util.logging.config.file=test-logging.properties \
    -Dslf4j.internal.verbosity=ERROR -Dzett.test.surroundings=USER_V1 -Dzett.test.guarded=true \
    -Dzett.test.attacker="$limits_folder/attacker" -Dzett.test.findings=findings \
    -Dzett.test.document=limits.md -cp "$(cat cp)" \
    io.zett.sandbox.limits.attacks.LimitSuite results.tsv
}

# test_limits_in_own_groups: bounded groups that belong to uid 1000 for as long as the attacks last.
test_limits_in_own_groups() {
  local tree group place made=() own_group=limits-of-test-$RANDOM$RANDOM
  for tree in "${trees[@]}"; do
    if ! group=$(own_tree_group "$tree") || ! mkdir "$group/$own_group" 2>/dev/null; then
      skip "limits of a user with groups of version 1" "no group can be made in the tree $tree here"
      ((${#made[@]} == 0)) || rmdir "${made[@]}"
      return
    fi
    made+=("$group/$own_group")
  done
  say "attacking limits as uid 1000 with groups of its own"
  printf '4G\n' >"${made[0]}/memory.limit_in_bytes"
  printf '2000\n' >"${made[1]}/pids.max"
  for group in "${made[@]}"; do chown -R 1000:1000 "$group"; done
  place=$(limits_place own-groups)
  (attack_in_own_groups "$place") </dev/null >"$place/log" 2>&1 9<&- || :
  count_lines "uid 1000 with groups of version 1" "$place/results.tsv" "$place/log"
  cp "$place/log" "$logs/own-groups.log"
  keep_findings "$place"
  for group in "${made[@]}"; do
    rmdir "$group" || fail "something is left in $group"
  done
}

# ---- the virtual machine ----

# What the machine needs and this one does not have.
missing_for_vm() {
  [[ $(uname -m) == x86_64 ]] || printf 'an x86-64 processor; '
  ((EUID == 0)) || printf 'root; '
  local tool
  for tool in linux.uml:user-mode-linux busybox:busybox-static dbus-daemon:dbus loginctl:systemd; do
    has_tool "${tool%%:*}" || printf 'the package %s; ' "${tool#*:}"
  done
  [[ -x /lib/systemd/systemd ]] || printf 'the package systemd-sysv; '
  [[ -e /usr/lib/systemd/user/dbus.socket ]] || printf 'the package dbus-user-session; '
  compgen -G '/lib/*/security/pam_systemd.so' >/dev/null || printf 'the package libpam-systemd; '
}

# test_limits_in_vm: three machines at once, one for each environment.
test_limits_in_vm() {
  local missing surroundings place
  missing=$(missing_for_vm)
  if [[ -n $missing ]]; then
    for surroundings in "$@"; do skip "limits, $surroundings, in a virtual machine" "missing: ${missing%; }"; done
    return
  fi
  say "attacking limits in virtual machines: $*"
  for surroundings in "$@"; do
    place=$(limits_place "$surroundings")
    # Only the machine's own folder is shared with it: no links to its neighbours'.
    find "$place" -maxdepth 1 -type l -delete
    cp -r "$limits_folder"/{lib,cp,java,attacker,test-logging.properties,limits.md} "$place/"
    ZETT_VM_MEMORY=2G "$root/scripts/vm/boot" "$place" "$root/scripts/vm/limits-job" "$surroundings" "$place" \
      </dev/null >"$place/console" 2>&1 9<&- &
  done
  wait
  for surroundings in "$@"; do
    place=$limits_folder/$surroundings
    [[ -e $place/log ]] || cp "$place/console" "$place/log"
    count_lines "$surroundings" "$place/results.tsv" "$place/log"
    if [[ $surroundings != USER_V2 ]]; then
      count_lines "$surroundings, in a scope" "$place/outside.tsv" "$place/log"
    fi
    if ! grep -q '^left: *$' "$place/log"; then
      fail "control groups are left in the machine ($surroundings): $(grep '^left:' "$place/log")"
    fi
    cp "$place/log" "$logs/vm-$surroundings.log"
    keep_findings "$place"
  done
}
