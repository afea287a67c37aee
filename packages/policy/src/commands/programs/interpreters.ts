/** Interpreters of programming languages: their code is not under review. */
import type { Program } from "../Program.ts"

export const interpreters: Program = {
  names: `perl ruby php lua luajit tclsh wish Rscript R julia ghci runghc scala groovy kotlin elixir erl escript iex
    swift guile racket sbcl clisp ocaml octave gnuplot m4 bc dc osascript jshell java dotnet mono wine
    qemu-x86_64 irb pry psql sqlite3 mysql`.split(/\s+/),
  does: "runs",
  because: "runs code",
  examples: {
    allowed: ["grep -n 'perl' notes.txt", "echo perl"],
    refused: ["perl -pi -e s/a/b/ a.txt", "ruby -e 'puts 1'", "php -r 'echo 1;'", "m4 -D a=b x.m4", "cat x | perl"]
  }
}
