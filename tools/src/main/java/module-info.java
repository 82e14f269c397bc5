import org.jspecify.annotations.NullMarked;

/** Tools for agents over one sandbox: what adapters to agent frameworks share. */
@NullMarked
module io.zett.sandbox.tools {
  requires static transitive org.jspecify;
  requires transitive io.zett.sandbox;

  exports io.zett.sandbox.tools;
}
