package io.zett.sandbox;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.codeUnits;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Who may know whom: the table of docs/decisions.md, kept by a test. */
class ArchitectureTest {

  private static final String ROOT = "io.zett.sandbox";

  /** Each internal package, and the internal packages that it may know beside itself. */
  private static final Map<String, List<String>> MAY_KNOW =
      Map.ofEntries(
          entry("posix", List.of()),
          entry("rules", List.of("posix")),
          entry("host", List.of("rules", "posix")),
          entry("backend", List.of("rules", "host", "posix")),
          entry("backend.bubblewrap", List.of("backend", "rules", "host", "posix")),
          entry("backend.passthrough", List.of("backend", "rules", "host", "posix")),
          entry("backend.seatbelt", List.of("backend", "rules", "host", "posix")),
          entry("flight", List.of()),
          entry("limits", List.of("posix")),
          entry("process", List.of("posix")),
          entry("portable", List.of("process")),
          entry("workspace", List.of("posix")),
          entry(
              "engine",
              List.of(
                  "posix",
                  "rules",
                  "host",
                  "backend",
                  "backend.bubblewrap",
                  "backend.passthrough",
                  "backend.seatbelt",
                  "flight",
                  "limits",
                  "portable",
                  "process",
                  "workspace")));

  /** Classes of other packages that are used where the system's own calls are not made. */
  private static final Predicate<JavaClass> NEEDS_NO_CALLS =
      named("engine.PortableCourse")
          .or(named("engine.WindowsStarts"))
          .or(named("engine.PlainFiles"))
          .or(named("engine.CommandRun"))
          .or(named("engine.Engine"))
          .or(named("engine.OpenEngines"))
          .or(named("process.StreamPump"));

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages(ROOT);

  static Stream<String> internalPackages() {
    return MAY_KNOW.keySet().stream().sorted();
  }

  @ParameterizedTest
  @MethodSource("internalPackages")
  void anInternalPackageKnowsOnlyWhatTheTableAllows(String name) {
    List<String> allowed = new ArrayList<>(List.of(qualified(name)));
    MAY_KNOW.getOrDefault(name, List.of()).forEach(known -> allowed.add(qualified(known)));
    noClasses()
        .that()
        .resideInAPackage(qualified(name))
        .should()
        .dependOnClassesThat(
            internal().and(not(resideInAnyPackage(allowed.toArray(String[]::new)))))
        .allowEmptyShould(true)
        .check(CLASSES);
  }

  @Test
  void everyPackageStandsInTheTable() {
    TreeSet<String> found = new TreeSet<>();
    CLASSES.stream().map(JavaClass::getPackageName).forEach(found::add);
    TreeSet<String> expected = new TreeSet<>(List.of(ROOT));
    MAY_KNOW.keySet().forEach(name -> expected.add(qualified(name)));
    assertThat(found).isEqualTo(expected);
  }

  @Test
  void internalPackagesHaveNoCycle() {
    slices().matching(ROOT + ".(*)..").should().beFreeOfCycles().check(CLASSES);
  }

  @Test
  void backendsNeverSeeEachOther() {
    slices().matching(ROOT + ".backend.(*)").should().notDependOnEachOther().check(CLASSES);
  }

  @Test
  void theSystemsCallsKnowNothingOfSandboxes() {
    noClasses()
        .that()
        .resideInAPackage(qualified("posix"))
        .should()
        .dependOnClassesThat(
            resideInAPackage(ROOT + "..").and(not(resideInAPackage(qualified("posix")))))
        .check(CLASSES);
  }

  @Test
  void aPolicysMeaningKnowsOfTheSystemOnlyHowAPathLooks() {
    noClasses()
        .that()
        .resideInAPackage(qualified("rules"))
        .should()
        .dependOnClassesThat(
            resideInAPackage(qualified("posix"))
                .and(not(DescribedPredicate.describe("UnixPath", named("posix.UnixPath")))))
        .check(CLASSES);
  }

  @Test
  void onlyTheFacesKnowTheEngineAndOnlyItsEntries() {
    noClasses()
        .that()
        .resideInAPackage(ROOT)
        .and(not(type(Sandbox.class)))
        .and(not(type(SandboxFiles.class)))
        .and(not(type(SandboxProcess.class)))
        .and(not(type(SandboxSession.class)))
        .and(not(type(SandboxSession.Builder.class)))
        .should()
        .dependOnClassesThat(internal())
        .check(CLASSES);
    noClasses()
        .that()
        .resideInAPackage(ROOT)
        .should()
        .dependOnClassesThat(
            internal()
                .and(not(DescribedPredicate.describe("Engine", named("engine.Engine"))))
                .and(not(DescribedPredicate.describe("LiveCommand", named("engine.LiveCommand"))))
                .and(
                    not(
                        DescribedPredicate.describe(
                            "WorkspaceFiles", named("engine.WorkspaceFiles")))))
        .check(CLASSES);
  }

  @Test
  void noInternalTypeIsSeenInThePublicApi() {
    codeUnits()
        .that()
        .areDeclaredInClassesThat()
        .resideInAPackage(ROOT)
        .should(notShowInternalTypes())
        .check(CLASSES);
  }

  @Test
  void onlyThePosixPackageGoesNative() {
    noClasses()
        .that()
        .resideOutsideOfPackage(qualified("posix"))
        .should()
        .dependOnClassesThat()
        .resideInAPackage("java.lang.foreign..")
        .check(CLASSES);
  }

  @Test
  void whatTheJdkStartsNeedsNoneOfTheSystemsCalls() {
    noClasses()
        .that()
        .resideInAPackage(qualified("portable"))
        .or(DescribedPredicate.describe("on the way to it", NEEDS_NO_CALLS))
        .should()
        .dependOnClassesThat()
        .resideInAPackage(qualified("posix"))
        .check(CLASSES);
  }

  @Test
  void onlyTheFlightPackageNeedsFlightRecorder() {
    noClasses()
        .that()
        .resideOutsideOfPackage(qualified("flight"))
        .should()
        .dependOnClassesThat()
        .resideInAPackage("jdk.jfr..")
        .check(CLASSES);
  }

  @Test
  void onlyTheProcessPackageStartsProcesses() {
    noClasses()
        .that()
        .resideOutsideOfPackages(qualified("process"), qualified("posix"))
        .should()
        .callMethodWhere(calls("spawns a process", resideInAPackage(qualified("posix")), "spawn"))
        .check(CLASSES);
    noClasses()
        .that(not(DescribedPredicate.describe("portable.Start", named("portable.Start"))))
        .should()
        .dependOnClassesThat(type(ProcessBuilder.class))
        .check(CLASSES);
    noClasses()
        .should()
        .callMethodWhere(calls("executes a program", type(Runtime.class), "exec"))
        .check(CLASSES);
  }

  @Test
  void theLibraryWritesNothingToTheCallersStreams() {
    noClasses()
        .should()
        .accessFieldWhere(
            JavaAccess.Predicates.target(
                DescribedPredicate.describe(
                    "System.out or System.err",
                    target ->
                        target.getOwner().isEquivalentTo(System.class)
                            && !target.getName().equals("in"))))
        .check(CLASSES);
  }

  @Test
  void oneClassReadsTheCallersEnvironment() {
    noClasses()
        .that(
            not(
                DescribedPredicate.describe(
                    "CallerEnvironment", named("engine.CallerEnvironment"))))
        .should()
        .callMethodWhere(calls("reads the environment", type(System.class), "getenv"))
        .check(CLASSES);
  }

  @Test
  void everyPackageIsNullMarked() {
    assertThat(CLASSES.stream().map(JavaClass::getPackage).distinct())
        .allSatisfy(found -> assertThat(found.isAnnotatedWith(NullMarked.class)).isTrue());
  }

  @Test
  void aPublicClassIsFinalUnlessItIsMadeToBeExtended() {
    classes()
        .that()
        .resideInAPackage(ROOT)
        .and()
        .arePublic()
        .and()
        .areTopLevelClasses()
        .and()
        .areNotInterfaces()
        .and()
        .areNotEnums()
        .and()
        .areNotAssignableTo(Throwable.class)
        .should()
        .haveModifier(JavaModifier.FINAL)
        .orShould()
        .haveModifier(JavaModifier.ABSTRACT)
        .check(CLASSES);
  }

  private static String qualified(String name) {
    return ROOT + "." + name;
  }

  private static DescribedPredicate<JavaClass> internal() {
    return resideInAPackage(ROOT + "..").and(not(resideInAPackage(ROOT)));
  }

  /** The named class, or a class nested in it. */
  private static Predicate<JavaClass> named(String name) {
    return found -> (found.getName() + "$").startsWith(qualified(name) + "$");
  }

  private static DescribedPredicate<JavaAccess<?>> calls(
      String description, DescribedPredicate<? super JavaClass> owner, String method) {
    return DescribedPredicate.describe(
        description,
        access ->
            access.getTarget().getName().equals(method) && owner.test(access.getTargetOwner()));
  }

  private static ArchCondition<JavaCodeUnit> notShowInternalTypes() {
    return new ArchCondition<>("not show internal types") {
      @Override
      public void check(JavaCodeUnit unit, ConditionEvents events) {
        if (!isSeen(unit.getModifiers()) || !isSeen(unit.getOwner().getModifiers())) {
          return;
        }
        Stream.concat(
                Stream.of(unit.getRawReturnType()),
                Stream.concat(
                    unit.getRawParameterTypes().stream(),
                    unit.getThrowsClause().getTypes().stream()))
            .filter(internal())
            .forEach(
                shown ->
                    events.add(
                        SimpleConditionEvent.violated(
                            unit, unit.getFullName() + " shows " + shown.getName())));
      }
    };
  }

  private static boolean isSeen(Set<JavaModifier> modifiers) {
    return modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED);
  }
}
