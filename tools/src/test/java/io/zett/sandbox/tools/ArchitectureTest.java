package io.zett.sandbox.tools;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The tools know the library's public package, and nothing of any framework. */
class ArchitectureTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("io.zett.sandbox.tools");

  @Test
  void onlyTheLibrarysPublicPackageIsKnown() {
    classes()
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage("java..", "org.jspecify..", "io.zett.sandbox", "io.zett.sandbox.tools")
        .check(CLASSES);
  }

  @Test
  void nothingIsWrittenToTheCallersStreamsAndNoProcessStarted() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .belongToAnyOf(ProcessBuilder.class, Runtime.class)
        .orShould()
        .accessField(System.class, "out")
        .orShould()
        .accessField(System.class, "err")
        .check(CLASSES);
  }
}
