package io.zett.sandbox.flight;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.MetadataDefinition;
import jdk.jfr.Relational;

/** Joins the events of one session, for tools that follow relations. */
@MetadataDefinition
@Relational
@Label("Session")
@Description("Sessions of a JVM are numbered from 1 in the order of their opening")
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.FIELD)
@interface SessionId {}
