# Shared by ./zett and scripts/setup.bash (sourced, Bash 3.2 or later): how the built command is started. A start
# that finds everything as an earlier one left it makes one process before Java, the look for changed sources.

: "${root:?}" # the checkout

# What the command is built from. Tests are not among it. `part` is `mcp` for the MCP server and `spark` for batches on
# Spark: each has a build, a class path and a cache of its own, so that nothing else has to wait for what it needs.
sources=(pom.xml .mvn core/pom.xml core/build-init.sh core/src/main policyfile/pom.xml policyfile/src/main
  batch/pom.xml batch/src/main cli/pom.xml cli/src/main)
# shellcheck disable=SC2034 # zett and setup.bash use them
modules=core,policyfile,batch,cli first_use=--version fetched=
if [[ ${part:=cli} == mcp ]]; then
  sources+=(tools/pom.xml tools/src/main mcp/pom.xml mcp/src/main)
  # shellcheck disable=SC2034
  modules=core,tools,policyfile,batch,cli,mcp first_use='mcp --help'
elif [[ $part == spark ]]; then
  sources+=(spark/pom.xml spark/jvm.options spark/src/main)
  # shellcheck disable=SC2034
  modules=core,policyfile,batch,cli,spark first_use='batch --master local --help' fetched='Spark (280 MB)'
fi
target=$part/target
libraries=$target/lib
command_jar=$libraries/zett-sandbox-$part.jar
stamp=$target/zett.stamp

# The JVM's cache of loaded and linked classes (an empty one says that none can be made), what it was made for, and
# a file for each jar with the time of that jar.
cache=$target/zett.aot
cache_for=$target/zett.start
jar_times=$target/zett.jars

# Where Spark's jars are in Maven's repository, as a class path.
spark_jars=$target/spark.classpath

# newer_source FILE: prints a source that is newer than FILE, or nothing, and ends the subshell that it is to be
# called in. A folder counts: its time tells of a file that was taken away.
newer_source() {
  exec find "${sources[@]/#/$root/}" -newer "$1" -print -quit 2>/dev/null
}

is_built() {
  [[ -f $root/$stamp && -f $root/$command_jar && -z $(newer_source "$root/$stamp") ]] &&
    { [[ $part != spark ]] || has_spark; }
}

# has_spark: whether what the build found in Maven's repository is there; sets `spark_path` to it.
has_spark() {
  local content jar jars
  content "$root/$spark_jars"
  spark_path=${content%$'\n'}
  [[ -n $spark_path ]] || return 1
  IFS=: read -r -d '' -a jars <<<"$spark_path:" || :
  for jar in "${jars[@]}"; do
    [[ $jar == $'\n' || -f $jar ]] || return 1
  done
}

# The folders where the library looks, too: never PATH, which an untrusted project may have set.
has_bubblewrap() {
  [[ $OSTYPE != linux* || -x /usr/bin/bwrap || -x /usr/local/bin/bwrap || -x /bin/bwrap ||
    -x /run/current-system/sw/bin/bwrap ]]
}

# java_command: sets the array `java_command` to the JVM of `java_home`, told to start and end soon: compiling what
# is hot for a moment only takes longer than it saves.
java_command() {
  java_command=("$java_home/bin/java" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:CompileThresholdScaling=3
    -XX:-UsePerfData -XX:+DisplayVMOutputToStderr -Xlog:disable --enable-native-access=ALL-UNNAMED)
}

# command_line: sets the array `command_line` to what starts the built command; `java_home` is known.
command_line() {
  local java_command
  java_command
  command_line=("${java_command[@]}")
  if has_cache && [[ -s $root/$cache ]]; then command_line+=("-XX:AOTCache=$root/$cache"); fi
  if [[ $part == spark ]]; then
    has_spark
    command_line+=("@$root/spark/jvm.options" -cp "$root/$command_jar:$spark_path" io.zett.sandbox.spark.Main)
  else
    command_line+=(-jar "$root/$command_jar")
  fi
}

# content FILE: sets `content` to a file's text, nothing if it cannot be read.
content() {
  content=
  [[ ! -r $1 ]] || IFS= read -r -d '' content <"$1" || :
}

# circumstances: sets `circumstances` to what a cache depends on besides the jars: `java_home`, the checkout's path,
# the JVM's options, that Java as it calls itself, the machine, and whether commands could be run to make it.
circumstances() {
  local content java_command
  java_command
  circumstances=$java_home$'\n'$root$'\n'${java_command[*]}$'\n'
  content "$java_home/release"
  circumstances+=$content$HOSTTYPE$'\n'
  content /etc/machine-id
  circumstances+=$content
  if has_bubblewrap; then circumstances+=$'\nbubblewrap'; fi
}

# has_cache: whether there is one for these jars, the Java of `java_home` and this machine. The JVM itself refuses one
# whose header is damaged and one of another Java, but would run the classes of jars that are no longer there (25.0.3).
has_cache() {
  local content circumstances jar time
  [[ -r $root/$cache && -r $root/$cache_for ]] || return 1
  for jar in "$root/$libraries"/*.jar; do
    time=$root/$jar_times/${jar##*/}
    [[ $jar -nt $time || $jar -ot $time ]] && return 1
  done
  content "$root/$cache_for"
  circumstances
  [[ $content == "$circumstances" ]]
}

# recall: sets `java_home` to the Java that an earlier start made a cache with, if it is still there and the wanted one.
recall() {
  [[ -r $root/$cache_for ]] && IFS= read -r java_home <"$root/$cache_for" || return 1
  [[ -z ${JAVA_HOME:-} || ${JAVA_HOME%/} == "$java_home" ]] && [[ -x $java_home/bin/java ]] && has_cache
}
