package io.zett.sandbox.policyfile;

/**
 * A place in a policy file.
 *
 * @param file its name as the caller gave it
 * @param line from 1
 * @param column from 1, in characters
 */
record Position(String file, int line, int column) {

  PolicyFileException refuse(String problem) {
    return new PolicyFileException(this, problem, null);
  }

  /** As compilers write it. */
  @Override
  public String toString() {
    return file + ":" + line + ":" + column;
  }
}
