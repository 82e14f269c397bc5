package io.zett.sandbox.process;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.zett.sandbox.posix.ProcessCalls;
import org.junit.jupiter.api.Test;

/**
 * H08: a process number can be another's by the time a signal is sent to it, a pidfd cannot. Only
 * children of this JVM that it has not waited for keep theirs.
 */
class SignalsByNumberTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("io.zett.sandbox");

  @Test
  void onlyWhoHasAChildThatIsNotWaitedForSignalsItByItsNumber() {
    noClasses()
        .that()
        .doNotBelongToAnyOf(Launcher.class, IdleProcess.class, ToolRun.class)
        .should()
        .callMethodWhere(
            DescribedPredicate.describe(
                "the target is kill",
                call ->
                    call.getTarget().getName().equals("kill")
                        && call.getTargetOwner().isAssignableTo(ProcessCalls.class)))
        .check(CLASSES);
  }

  /** The one package that may is for systems whose own calls are not made. */
  @Test
  void nobodySignalsThroughTheJdkWhereThereAreTheSystemsOwnCalls() {
    noClasses()
        .that()
        .resideOutsideOfPackage("io.zett.sandbox.portable")
        .should()
        .dependOnClassesThat()
        .areAssignableTo(ProcessHandle.class)
        .orShould()
        .dependOnClassesThat()
        .areAssignableTo(Process.class)
        .check(CLASSES);
  }
}
