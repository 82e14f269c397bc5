import org.jspecify.annotations.NullMarked;

/** Many programs, each in a private workspace of its own, and a result for every one. */
@NullMarked
module io.zett.sandbox.batch {
  requires static transitive org.jspecify;
  requires transitive io.zett.sandbox;

  exports io.zett.sandbox.batch;
}
