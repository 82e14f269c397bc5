# Shared by ./zett, ./check and ./bench (sourced, Bash 3.2 or later): finds what the build needs, says how to
# get what is missing, and builds. Everything it says goes to standard error; `root` is the checkout.

# shellcheck source=scripts/start.bash
. "${root:?}/scripts/start.bash"
java_feature=25 # the release that the sources are written in

say() { printf 'zett: %s\n' "$*" >&2; }

# Refuses with the status that means "the sandbox could not run it".
refuse() {
  say "$@"
  exit 125
}

# tool NAME: prints where PATH has it; `type -P` alone also finds what cannot be executed.
tool() {
  local file
  file=$(type -P "$1") && [[ -x $file ]] && printf '%s\n' "$file"
}

has_tool() { tool "$1" >/dev/null; }

# ---- the JDK ----

# java_release HOME: sets `release` to the feature number of the Java below HOME, 0 when unknown.
java_release() {
  local line
  release=0
  if [[ -r $1/release ]]; then
    while IFS= read -r line || [[ -n $line ]]; do
      if [[ $line =~ ^JAVA_VERSION=\"?([0-9]+) ]]; then
        release=${BASH_REMATCH[1]}
        return
      fi
    done <"$1/release"
  fi
  line=$("$1/bin/java" -version 2>&1 </dev/null) || return 0
  if [[ $line =~ version\ \"([0-9]+) ]]; then release=${BASH_REMATCH[1]}; fi
}

# find_java TOOL: sets `java_home` to a Java that is new enough and has bin/TOOL: JAVA_HOME when it
# will do, else the usual folders (exactly the wanted release first), else PATH.
find_java() {
  local tool=$1 home wanted=${JAVA_HOME:-} newer='' release found
  wanted=${wanted%/}
  for home in ${wanted:+"$wanted"} \
    /usr/lib/jvm/* /usr/lib64/jvm/* /usr/java/* /usr/local/java/* /opt/java/* /opt/*jdk* /opt/jdk/* \
    /usr/local/openjdk-* /usr/local/jdk* "${HOME:-/}"/.sdkman/candidates/java/* "${HOME:-/}"/.jdks/* \
    "${HOME:-/}"/.local/share/mise/installs/java/* "${HOME:-/}"/.asdf/installs/java/* \
    /Library/Java/JavaVirtualMachines/*/Contents/Home \
    "${HOME:-/}"/Library/Java/JavaVirtualMachines/*/Contents/Home \
    /opt/homebrew/opt/openjdk*/libexec/openjdk.jdk/Contents/Home \
    /usr/local/opt/openjdk*/libexec/openjdk.jdk/Contents/Home; do
    [[ -x $home/bin/java && -x $home/bin/$tool ]] || continue
    java_release "$home"
    if ((release == java_feature)) || { ((release > java_feature)) && [[ $home == "$wanted" ]]; }; then
      java_home=$home
      return
    fi
    if ((release > java_feature)) && [[ -z $newer ]]; then newer=$home; fi
  done
  if [[ -n $newer ]]; then
    java_home=$newer
    return
  fi
  if found=$(tool "$tool") && found=$(resolve_links "$found"); then
    home=${found%/bin/*}
    if [[ -x $home/bin/java ]]; then
      java_release "$home"
      if ((release >= java_feature)); then
        java_home=$home
        return
      fi
    fi
  fi
  return 1
}

# resolve_links FILE: prints where a chain of links ends; `readlink -f` is not on every macOS.
resolve_links() {
  local file=$1 link
  while [[ -L $file ]]; do
    link=$(readlink "$file") || return
    case $link in
      /*) file=$link ;;
      *) file=${file%/*}/$link ;;
    esac
  done
  printf '%s\n' "$file"
}

# ---- packages ----

# Sets `manager` to the system's package manager, or to nothing.
find_package_manager() {
  local candidate
  manager=
  if [[ $OSTYPE == darwin* ]]; then
    if has_tool brew; then manager=brew; fi
    return 0
  fi
  for candidate in apt-get dnf yum apk pacman zypper; do
    if has_tool "$candidate"; then
      manager=$candidate
      return
    fi
  done
}

# package_name THING: sets `package` to what the package manager calls it.
package_name() {
  package=$1
  case $manager:$1 in
    apt-get:jdk) package=openjdk-25-jdk-headless ;;
    dnf:jdk | yum:jdk | zypper:jdk) package=java-25-openjdk-devel ;;
    apk:jdk) package=openjdk25 ;;
    pacman:jdk) package=jdk-openjdk ;;
    brew:jdk) package=openjdk ;;
    *:compiler) package=gcc ;;
  esac
}

# install_command THING...: sets the array `install` to the command that installs these things.
install_command() {
  local thing package
  case $manager in
    apt-get) install=(apt-get install -y --no-install-recommends) ;;
    dnf | yum) install=("$manager" install -y) ;;
    apk) install=(apk add) ;;
    pacman) install=(pacman -S --noconfirm --needed) ;;
    zypper) install=(zypper --non-interactive install) ;;
    brew) install=(brew install) ;;
    *) return 1 ;;
  esac
  for thing in "$@"; do
    package_name "$thing"
    install+=("$package")
  done
  if ((EUID != 0)) && [[ $manager != brew ]]; then install=(sudo "${install[@]}"); fi
}

# say_how THING...: the exact command for this system.
say_how() {
  local install
  find_package_manager
  if install_command "$@"; then
    say "  install it with: ${install[*]}"
  else
    say "  install it with this system's package manager"
  fi
}

# The same for the JDK, which not every release of a system has as a package.
say_how_jdk() {
  local manager package unpack="unpack any vendor's JDK $java_feature and set JAVA_HOME to its folder"
  find_package_manager
  package_name jdk
  if [[ $manager == apt-get ]] && ! apt-cache show "$package" >/dev/null 2>&1; then
    say "  $unpack"
  else
    say_how jdk
    say "  or $unpack"
  fi
}

may_install() {
  [[ -z ${ZETT_NO_INSTALL:-} ]] || return 1
  [[ -n $manager && $manager != brew ]] || return 1
  ((EUID == 0)) || { has_tool sudo && sudo -n true 2>/dev/null; }
}

# install_packages THING...: fails, having said nothing, where installing is not allowed.
install_packages() {
  local install
  find_package_manager
  may_install && install_command "$@" || return 1
  say "installing $*: ${install[*]}"
  if [[ ${install[0]} == sudo ]]; then install=(sudo -n "${install[@]:1}"); fi
  run_install && return
  # Package lists may be missing or old.
  case $manager in
    apt-get) refresh=(apt-get update) ;;
    apk) refresh=(apk update) ;;
    pacman) refresh=(pacman -Sy) ;;
    *) return 1 ;;
  esac
  if ((EUID != 0)); then refresh=(sudo -n "${refresh[@]}"); fi
  "${refresh[@]}" </dev/null >&2 && run_install
}

run_install() {
  if [[ $manager == apt-get ]]; then
    # Another apt may be at work: wait for it instead of failing.
    install+=(-o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 -qq)
  fi
  if ((EUID == 0)); then
    DEBIAN_FRONTEND=noninteractive "${install[@]}" </dev/null >&2
  else
    "${install[@]}" </dev/null >&2
  fi
}

# Installs bubblewrap; where that is not allowed, says how and fails.
provide_bubblewrap() {
  has_bubblewrap && return
  say "bubblewrap, the program that isolates commands on Linux, is missing"
  if install_packages bubblewrap && has_bubblewrap; then return; fi
  say_how bubblewrap
  return 1
}

# ---- the build ----

# find_build_tools: sets `java_home` and `maven`, or says all that is missing and refuses.
find_build_tools() {
  local missing=''
  if ! find_java javac; then
    missing=1
    say "a JDK $java_feature or later is needed; none was found in JAVA_HOME, the usual folders or PATH"
    say_how_jdk
  fi
  if ! maven=$(tool mvn); then
    missing=1
    say "Maven (3.8.6 or later) is needed for the build; there is no mvn in PATH"
    say_how maven
  fi
  if [[ $OSTYPE == linux* ]] && ! find_compiler; then
    missing=1
    say "a C compiler is needed for the build; there is no cc, gcc or clang in PATH"
    say_how compiler
  fi
  [[ -z $missing ]] || exit 125
}

maven_jvm='--sun-misc-unsafe-memory-access=allow --enable-native-access=ALL-UNNAMED'
maven_jvm+=' -XX:TieredStopAtLevel=1 -XX:+UseSerialGC'

# Exports CC unless the compiler has its usual name.
find_compiler() {
  local compiler
  has_tool "${CC:-cc}" && return
  for compiler in gcc clang; do
    if has_tool "$compiler"; then
      export CC=$compiler
      return
    fi
  done
  return 1
}

# run_maven ARG...: in the checkout, in a JVM of the found JDK, without that JVM's own warnings. All output
# is on standard output, less the colour resets that Maven 3.8 prints into any file.
run_maven() {
  local unbuffered=
  # Each line at once, where sed can: some come many minutes after the one before.
  ! sed -u '' </dev/null >/dev/null 2>&1 || unbuffered=-u
  (
    cd "$root" || exit
    export JAVA_HOME=$java_home MAVEN_OPTS="${MAVEN_OPTS:-} $maven_jvm"
    # What one user builds, others run.
    umask 022
    exec "$maven" --batch-mode -Dstyle.color=never "$@" </dev/null 2>&1 9<&-
  ) | sed ${unbuffered:+"$unbuffered"} $'s/\e\\[0*m//g'
}

# Waits until no other process builds here. The lock is the checkout's folder itself, so nothing is
# left behind, and a clean build cannot take it away; it ends with this process at the latest.
lock_checkout() {
  exec 9<"$root"
  if has_tool flock; then
    flock -n 9 || { say "waiting for another build of this checkout" && flock 9; }
  else
    perl -MFcntl=:flock -e 'open(my $lock, "<&=", 9) && flock($lock, LOCK_EX) or die "$!\n"'
  fi
}

unlock_checkout() { exec 9<&-; }

# build WHAT ARG...: packages the command, with further Maven arguments, and stamps it. The stamp is as old
# as the beginning, so that what changes meanwhile is built next time. Sources that claim to be of tomorrow
# get the present time; else each use would build again until then.
build() {
  local what=$1 new_stamp=$root/$stamp.new
  shift
  if ! { mkdir -p "$root/$target" && : >"$new_stamp"; } 2>/dev/null; then
    refuse "the build is missing or out of date, and $root/$target cannot be written:" \
      "run ./zett $first_use there once as its owner"
  fi
  say "$what"
  find "${sources[@]/#/$root/}" -newer "$new_stamp" -exec touch {} + 2>/dev/null || :
  : >"$new_stamp"
  rm -rf "${root:?}/${stamp:?}" "${root:?}/${libraries:?}"
  remove_cache
  set_jars_aside
  run_maven --quiet "$@" package >&2 || return 1
  compare_jars
  mv -f "$new_stamp" "$root/$stamp"
}

# The build of another part makes the command's jars again. Those that come out the same keep their times, so that
# the command's cache still fits.
set_jars_aside() {
  rm -rf "${root:?}/$target/zett.aside"
  [[ $part != cli && -d $root/cli/target/lib ]] || return 0
  cp -Rp "$root/cli/target/lib" "$root/$target/zett.aside"
}

compare_jars() {
  local before jar
  for before in "$root/$target/zett.aside"/*.jar; do
    jar=$root/cli/target/lib/${before##*/}
    if cmp -s "$before" "$jar" 2>/dev/null; then touch -r "$before" "$jar"; fi
  done
  rm -rf "${root:?}/$target/zett.aside"
}

# ---- the cache for faster starts ----

# make_cache: by a JVM that runs the commonest commands, if this user may write it here and the JVM can; else
# commands start without. The checkout is locked meanwhile, by the caller.
make_cache() {
  local java_command circumstances jar new=$root/$cache.new
  java_command
  circumstances
  (
    umask 022
    remove_cache
    rm -f "$new"*
    mkdir -p "$root/$jar_times"
    for jar in "$root/$libraries"/*.jar; do touch -r "$jar" "$root/$jar_times/${jar##*/}"; done
    # Interpreted: what is compiled here would be compiled at each start, which takes longer than it saves.
    "${java_command[@]}" -Xint "-XX:AOTCacheOutput=$new" -cp "$root/$command_jar" "io.zett.sandbox.$part.Rehearsal"
    [[ -f $new ]] || : >"$new"
    printf '%s' "$circumstances" >"$root/$cache_for" && mv -f "$new" "$root/$cache"
    rm -f "$new"*
  ) </dev/null >/dev/null 2>&1 9<&- || :
}

remove_cache() { rm -rf "${root:?}/${cache:?}" "${root:?}/${cache_for:?}" "${root:?}/${jar_times:?}"; }

# provide_cache: makes one unless there is one that fits.
provide_cache() {
  [[ -w $root/$target && $java_home != *$'\n'* ]] && ! has_cache || return 0
  lock_checkout
  has_cache || make_cache
  unlock_checkout
}
