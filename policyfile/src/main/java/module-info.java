import org.jspecify.annotations.NullMarked;

/** A sandbox's policy as a file. */
@NullMarked
module io.zett.sandbox.policyfile {
  requires static transitive org.jspecify;
  requires transitive io.zett.sandbox;
  requires org.snakeyaml.engine;

  exports io.zett.sandbox.policyfile;
}
