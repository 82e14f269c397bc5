/** A sandbox's policy as a YAML or JSON file: {@link io.zett.sandbox.policyfile.PolicyFile}. */
@NullMarked
package io.zett.sandbox.policyfile;

import org.jspecify.annotations.NullMarked;
