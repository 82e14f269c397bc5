package io.zett.sandbox.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is no job, and what is no batch. */
class JobLineTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'id':'a','command':'true','comand':'x'} | \"comand\" is no key of a job",
        "{'id':'a'} | command: is missing",
        "{'command':'true'} | id: is missing",
        "{'id':'','command':'true'} | id: is empty",
        "{'id':'a','command':[]} | the command is empty",
        "{'id':'a','command':7} | command: a text for the shell is wanted",
        "{'id':'a','command':['a',1]} | command: a text is wanted in it",
        "{'id':'a','command':'true','files':{'../x':''}} | leads out of the workspace",
        "{'id':'a','command':'true','files':{'x':{'base64':'?'}}} | is no base64",
        "{'id':'a','command':'true','memory':'1kB'} | memory",
        "{'id':'a','command':'true','timeout':0} | timeout: 0 is no time",
        "{'id':'a','command':'true','cpuSeconds':1.5} | cpuSeconds: 1.5 is no whole number",
        "{'id':'a','command':'true','env':{'A=B':'x'}} | holds \"=\" after",
        "{'id':'a','id':'b','command':'true'} | uplicate",
        "{'id':'a','command':'true' | is no JSON object",
        "nonsense | is no JSON object",
        "null | is no JSON object",
        "{'id':'a','command':'true'}{'id':'b','command':'true'} | has something after",
        "{'id':'a','command':'true'} nonsense | is no JSON object",
        "{'id':'a','command':'true','timeout':-1} | timeout: -1 is no time",
        "{'id':'a','command':'true','timeout':1e-999999999} | timeout: 1E-999999999 is no time",
        "{'id':'a','command':'true','timeout':1e999999999} | timeout: 1E+999999999 is no time",
        "{'id':'a','command':'true','cpuSeconds':1e999999999} | cpuSeconds: 1E+999999999",
      })
  void whatIsNoJobIsToldWithItsKey(String line, String told) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> JobLine.parse(line.replace('\'', '"'), 1))
        .withMessageContaining(told);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "batch | no jobs are given",
        "batch a b | one file of jobs is wanted",
        "batch none.jsonl | no such file",
        "batch --resume none.jsonl | --resume needs",
        "batch --parallel 0 none.jsonl | --parallel",
        "batch --memory 1 none.jsonl | --memory"
      })
  void wrongUsageIsTold(String words, String told) {
    Spoken end = Spoken.by(words.split(" "));
    assertThat(end.status()).as(end.err()).isEqualTo(2);
    assertThat(end.err()).startsWith("zett: ").contains(told);
  }
}
