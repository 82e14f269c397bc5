package io.zett.sandbox.backend.seatbelt.language;

import java.util.ArrayList;
import java.util.List;

/** A piece of a profile: a word, a text or a list in parentheses. */
sealed interface Expression {

  /** A symbol or number. */
  record Word(String name) implements Expression {}

  /** A string; a raw one, {@code #"…"}, keeps its backslashes. */
  record Text(String value) implements Expression {}

  /** A list. */
  record Form(List<Expression> items) implements Expression {
    public Form {
      items = List.copyOf(items);
    }

    /** The word that it begins with. */
    String head() {
      if (items.isEmpty() || !(items.getFirst() instanceof Word word)) {
        throw new MalformedProfileException("a form that begins with no word: " + this);
      }
      return word.name();
    }

    /** What follows that word. */
    List<Expression> rest() {
      return items.subList(1, items.size());
    }
  }

  /** Reads all forms of a text. */
  static List<Form> readAll(String text) {
    return new Reader(text).forms();
  }

  /** Reads from left to right. */
  final class Reader {
    private final String text;
    private int at;

    private Reader(String text) {
      this.text = text;
    }

    private List<Form> forms() {
      List<Form> forms = new ArrayList<>();
      for (skip(); at < text.length(); skip()) {
        if (!(next() instanceof Form form)) {
          throw new MalformedProfileException("something outside of parentheses before " + at);
        }
        forms.add(form);
      }
      return forms;
    }

    private Expression next() {
      skip();
      if (at >= text.length()) {
        throw new MalformedProfileException("a parenthesis is not closed");
      }
      char c = text.charAt(at);
      if (c == '(') {
        return list();
      }
      if (c == ')') {
        throw new MalformedProfileException("a parenthesis too many at " + at);
      }
      if (c == '"') {
        at++;
        return new Text(string(false));
      }
      if (c == '#' && at + 1 < text.length() && text.charAt(at + 1) == '"') {
        at += 2;
        return new Text(string(true));
      }
      int start = at;
      while (at < text.length() && " \t\r\n()\";".indexOf(text.charAt(at)) < 0) {
        at++;
      }
      return new Word(text.substring(start, at));
    }

    private Form list() {
      at++;
      List<Expression> items = new ArrayList<>();
      for (skip(); at < text.length() && text.charAt(at) != ')'; skip()) {
        items.add(next());
      }
      if (at >= text.length()) {
        throw new MalformedProfileException("a parenthesis is not closed");
      }
      at++;
      return new Form(items);
    }

    private String string(boolean raw) {
      StringBuilder value = new StringBuilder();
      for (; at < text.length() && text.charAt(at) != '"'; at++) {
        if (text.charAt(at) == '\\' && !raw) {
          at++;
          char escaped = at < text.length() ? text.charAt(at) : '\0';
          value.append(
              switch (escaped) {
                case 'n' -> '\n';
                case 't' -> '\t';
                case '"', '\\' -> escaped;
                default -> throw new MalformedProfileException("an unknown escape at " + at);
              });
        } else {
          value.append(text.charAt(at));
        }
      }
      if (at >= text.length()) {
        throw new MalformedProfileException("a string is not closed");
      }
      at++;
      return value.toString();
    }

    private void skip() {
      while (at < text.length()) {
        char c = text.charAt(at);
        if (c == ';') {
          while (at < text.length() && text.charAt(at) != '\n') {
            at++;
          }
        } else if (" \t\r\n".indexOf(c) >= 0) {
          at++;
        } else {
          return;
        }
      }
    }
  }
}
